package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The latest result of each row, by the run that measured it. The file has a line for each result. Numbers have six
 * significant digits, and a number that was not measured is null.
 *
 * @param runs the latest first; each row is in one run only
 */
public record ResultFile(List<Run> runs) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new SixDigits())
                    .addSerializer(Double.class, new SixDigits())
                    .addDeserializer(double.class, new Measured())
                    .addDeserializer(Double.class, new Measured()))
            .build();

    public ResultFile {
        runs = List.copyOf(runs);
        Set<RowId> rows = new HashSet<>();
        for (Run run : runs) {
            for (RowResult result : run.results()) {
                if (!rows.add(result.id())) {
                    throw new IllegalArgumentException("Two results of the row '%s'".formatted(result.id()));
                }
            }
        }
    }

    /** Creates a file with the results of one run. */
    public ResultFile(Map<String, String> circumstances, List<RowResult> results) {
        this(List.of(new Run(circumstances, results)));
    }

    public static ResultFile read(Path file) {
        return JSON.readValue(file, ResultFile.class);
    }

    /** Writes the results into the file. They replace the results of the same rows; all others stay. */
    public void write(Path file) {
        ResultFile whole = Files.exists(file) ? replacingIn(read(file)) : this;
        try {
            // Moved into place, so that an aborted run leaves the file unchanged.
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, whole.text());
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write " + file, failure);
        }
    }

    /** Returns the results of all runs. */
    public List<RowResult> results() {
        return runs.stream().flatMap(run -> run.results().stream()).toList();
    }

    /** Returns the kinds and versions of the servers of all runs. */
    String servers() {
        return runs.isEmpty()
                ? "no server"
                : runs.stream().map(Run::server).distinct().collect(joining(", "));
    }

    Optional<RowResult> find(RowId row) {
        return results().stream().filter(result -> result.id().equals(row)).findAny();
    }

    /** Returns whether one run measured both rows. Between two runs, the speed of a machine can change. */
    boolean areBeside(RowResult one, RowResult other) {
        return runs.stream().map(Run::results).anyMatch(rows -> rows.contains(one) && rows.contains(other));
    }

    /** Returns the run with the most results; empty if there are no runs. */
    Optional<Run> mainRun() {
        return runs.stream().max(Comparator.comparingInt(run -> run.results().size()));
    }

    private ResultFile replacingIn(ResultFile earlier) {
        Set<RowId> measured = results().stream().map(RowResult::id).collect(toSet());
        List<Run> merged = new ArrayList<>();
        for (Run run : runs) {
            Stream<RowResult> before = earlier.runs.stream()
                    .filter(other -> other.circumstances().equals(run.circumstances()))
                    .flatMap(other -> other.without(measured).results().stream());
            merged.add(new Run(
                    run.circumstances(),
                    Stream.concat(run.results().stream(), before).toList()));
        }
        earlier.runs.stream()
                .filter(other ->
                        runs.stream().noneMatch(run -> run.circumstances().equals(other.circumstances())))
                .map(other -> other.without(measured))
                .filter(other -> !other.results().isEmpty())
                .forEach(merged::add);
        return new ResultFile(merged);
    }

    /** Returns the content of the file. */
    String text() {
        return runs.stream().map(ResultFile::text).collect(joining(",\n", "{\"runs\": [\n", "\n]}\n"));
    }

    private static String text(Run run) {
        String circumstances = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(run.circumstances());
        return run.results().stream()
                .sorted(Comparator.comparing(RowResult::id))
                .map(JSON::writeValueAsString)
                .collect(joining(",\n", "{\"circumstances\": " + circumstances + ",\n\"results\": [\n", "\n]}"));
    }

    /** Writes numbers with six significant digits, and NaN as null. */
    private static final class SixDigits extends ValueSerializer<Double> {
        private static final MathContext SIX_DIGITS = new MathContext(6);

        @Override
        public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
            if (Double.isFinite(value)) {
                generator.writeNumber(new BigDecimal(value).round(SIX_DIGITS).doubleValue());
            } else {
                generator.writeNull();
            }
        }
    }

    /** Reads null as NaN, and the text {@code NaN} of earlier files as well. */
    private static final class Measured extends ValueDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser parser, DeserializationContext context) {
            return Double.valueOf(parser.getString());
        }

        @Override
        public Object getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }
}
