package dev.registrar.gatling;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What Gatling's own results do not have of a simulation's last run, in a file beside them. */
final class RunFacts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = ServiceProcess.GATLING.resolve("target/gatling");

    private RunFacts() {}

    static void write(Map<String, Object> facts) {
        try {
            Files.createDirectories(FOLDER);
            JSON.writerWithDefaultPrettyPrinter()
                    .writeValue(
                            FOLDER.resolve(facts.get("simulation") + ".json").toFile(), facts);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static Map<String, Object> read(Path file) {
        try {
            return JSON.readValue(file.toFile(), new TypeReference<>() {});
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
