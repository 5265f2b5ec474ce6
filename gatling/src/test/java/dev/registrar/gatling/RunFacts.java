package dev.registrar.gatling;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The results of a simulation's last run with a profile that Gatling's files lack, in a file beside them. */
final class RunFacts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = ServiceProcess.GATLING.resolve("target/gatling");

    private RunFacts() {}

    static void write(Map<String, Object> facts) {
        try {
            Files.createDirectories(FOLDER);
            JSON.writerWithDefaultPrettyPrinter()
                    .writeValue(
                            FOLDER.resolve("%s-%s.json".formatted(facts.get("simulation"), facts.get("profile")))
                                    .toFile(),
                            facts);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
