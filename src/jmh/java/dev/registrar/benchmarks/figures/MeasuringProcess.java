package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.RunLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Java process that measures a database and reports its readings, see {@link MeasuringProgram}. */
final class MeasuringProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final BufferedReader output;

    private MeasuringProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.output = process.inputReader();
    }

    static MeasuringProcess start(
            Class<?> program, List<String> arguments, MeasuredDatabase database, RunSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(database.javaOptions());
        settings.asProperties().forEach((name, value) -> command.add("-D%s=%s".formatted(name, value)));
        command.addAll(List.of("-classpath", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(Redirect.appendTo(RunLog.FILE.toFile()))
                    .start();
            CompletableFuture.delayedExecutor(settings.timeoutSeconds(), TimeUnit.SECONDS)
                    .execute(process::destroyForcibly);
            return new MeasuringProcess(program.getSimpleName(), process);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until the program is ready to measure. */
    void awaitReady() {
        String line = next();
        while (line != null && !line.equals(MeasuringProgram.READY)) {
            RunLog.stream().println(line);
            line = next();
        }
        if (line == null) {
            throw failed();
        }
    }

    /** Starts the measurement. */
    void go() {
        try {
            process.outputWriter().write(System.lineSeparator());
            process.outputWriter().flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until the program has ended and returns its readings. */
    Map<String, Double> readings() {
        Map<String, Double> readings = new LinkedHashMap<>();
        for (String line = next(); line != null; line = next()) {
            RunLog.stream().println(line);
            MeasuringProgram.reading(line).ifPresent(reading -> readings.put(reading.name(), reading.value()));
        }
        if (process.onExit().join().exitValue() != 0) {
            throw failed();
        }
        return readings;
    }

    private @Nullable String next() {
        try {
            return output.readLine();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private IllegalStateException failed() {
        return new IllegalStateException("%s failed: see %s".formatted(name, RunLog.FILE));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
