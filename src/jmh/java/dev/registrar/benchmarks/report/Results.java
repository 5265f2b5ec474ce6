package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file of results, with a line for each result.
 *
 * @param runs the latest first; each row is in one of them
 */
public record Results(List<Run> runs) {
    public static final String FILE = "results.json";

    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * The results of one run of the program.
     *
     * @param circumstances machine, Java, server, commit and settings, by name
     * @param results JMH's results with the ids of their rows, one for each round
     */
    public record Run(Map<String, String> circumstances, List<JsonNode> results) {
        private String text() {
            return results.stream()
                    .map(JSON::writeValueAsString)
                    .collect(joining(
                            ",\n",
                            "{\"circumstances\": %s,\n\"results\": [\n"
                                    .formatted(JSON.writeValueAsString(circumstances)),
                            "\n]}"));
        }
    }

    /** Reads a file. */
    public static Results read(Path file) {
        return JSON.readValue(file, Results.class);
    }

    /** Reads all files of results in a folder as one, the latest run first. */
    static Results below(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new Results(files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .flatMap(file -> read(file).runs().stream())
                    .sorted(Comparator.comparing(
                                    (Run run) -> run.circumstances().getOrDefault("at", ""))
                            .reversed())
                    .toList());
        }
    }

    /** Returns these results with those of a later run in the place of the same rows. */
    public Results with(Map<String, String> circumstances, List<? extends JsonNode> later) {
        Set<String> rows = later.stream().map(Results::row).collect(Collectors.toSet());
        List<Run> all = new ArrayList<>(List.of(new Run(circumstances, List.copyOf(later))));
        for (Run run : runs) {
            List<JsonNode> kept = run.results().stream()
                    .filter(result -> !rows.contains(row(result)))
                    .toList();
            if (!kept.isEmpty()) {
                all.add(new Run(run.circumstances(), kept));
            }
        }
        return new Results(all);
    }

    /** Returns the rows, by id. */
    public Map<String, Measured> rows() {
        Map<String, Measured> rows = new TreeMap<>();
        for (Run run : runs) {
            Map<String, List<JsonNode>> rounds = new LinkedHashMap<>();
            run.results()
                    .forEach(result -> rounds.computeIfAbsent(row(result), unknown -> new ArrayList<>())
                            .add(result));
            rounds.forEach((row, results) -> rows.putIfAbsent(row, Measured.of(row, run.circumstances(), results)));
        }
        return rows;
    }

    /** Returns a table of some rows in Markdown. */
    public String table(Collection<String> ids) {
        Map<String, Measured> rows = rows();
        return ids.stream()
                .flatMap(id -> Stream.ofNullable(rows.get(id)))
                .map(row -> RowsPage.Row.of(row, rows).line())
                .collect(joining("\n", """
                        | row | calls/s: median (spread) | ÷ baseline | p99, ms | CPU, µs | ÷ baseline | remark |
                        |---|---|---|---|---|---|---|
                        """, "\n"));
    }

    /** Writes the file as a whole, so that an interruption leaves the file before it. */
    public void write(Path file) {
        try {
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(
                    written, runs.stream().map(Run::text).collect(joining(",\n", "{\"runs\": [\n", "\n]}\n")));
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write " + file, failure);
        }
    }

    private static String row(JsonNode result) {
        return result.path("row").asString();
    }
}
