package dev.registrar.benchmarks.figures;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The file with the latest result of each figure. A run replaces the figures that it measured and keeps the others. */
final class FigureFile {
    /** The results of real runs. */
    static final Path FIGURES = Path.of("target", "figures.json");

    /** The output of smoke runs, whose numbers are meaningless. */
    static final Path SMOKE = Path.of("target", "figures-smoke.json");

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private FigureFile() {}

    /**
     * Writes results, each with the circumstances of its run.
     *
     * @param file is created if it is missing
     * @param circumstances machine, server, commit and settings
     */
    static void write(Path file, Iterable<FigureResult> results, Map<String, String> circumstances) {
        Map<String, JsonNode> figures = new TreeMap<>();
        if (Files.exists(file)) {
            JSON.readTree(file).properties().forEach(entry -> figures.put(entry.getKey(), entry.getValue()));
        }
        for (FigureResult result : results) {
            ObjectNode json = result.json(JSON);
            json.set("run", JSON.valueToTree(circumstances));
            figures.put(result.figure().id(), json);
        }
        JSON.writeValue(file, figures);
    }
}
