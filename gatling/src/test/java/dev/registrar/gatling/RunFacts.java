package dev.registrar.gatling;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The results of a simulation's last run with a profile that Gatling's files lack, in a file beside them. */
final class RunFacts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = ServiceProcess.GATLING.resolve("target/gatling");

    private RunFacts() {}

    /** Writes the file and returns it. */
    static Path write(Map<String, Object> facts) {
        Path file = FOLDER.resolve("%s-%s.json".formatted(facts.get("simulation"), facts.get("profile")));
        try {
            Files.createDirectories(FOLDER);
            JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), facts);
            return file;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The commit of the sources; empty without git. */
    static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .directory(ServiceProcess.GATLING.toFile())
                    .redirectError(Redirect.DISCARD)
                    .start();
            String commit = git.inputReader().readLine();
            return commit == null ? "" : commit;
        } catch (IOException notInstalled) {
            return "";
        }
    }
}
