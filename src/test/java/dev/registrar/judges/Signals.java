package dev.registrar.judges;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes that Java has no method for. */
final class Signals {
    private Signals() {}

    /**
     * Sends a signal to those processes that are still there.
     *
     * @param signal its name without {@code SIG}
     */
    static void send(String signal, Stream<ProcessHandle> processes) throws IOException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(process -> command.add(String.valueOf(process.pid())));
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
