package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * The latest result of each row, by the run that measured it. In the file, a result is a line.
 *
 * @param runs the latest first; no two of them have the same row
 */
public record ResultFile(List<Run> runs) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ObjectWriter LINES = JSON.writer()
            .with(new DefaultPrettyPrinter()
                    .withObjectIndenter(ResultLines.INSTANCE)
                    .withArrayIndenter(ResultLines.INSTANCE));

    public ResultFile {
        runs = List.copyOf(runs);
        Set<RowId> rows = new HashSet<>();
        for (Run run : runs) {
            for (RowResult result : run.results()) {
                if (!rows.add(result.id())) {
                    throw new IllegalArgumentException("Two results of '%s'".formatted(result.id()));
                }
            }
        }
    }

    /** What one run measured. */
    public ResultFile(Map<String, String> circumstances, List<RowResult> results) {
        this(List.of(new Run(circumstances, results)));
    }

    public static ResultFile read(Path file) {
        return JSON.readValue(file, ResultFile.class);
    }

    /** Writes the results into the file, in which they replace those of the same rows; all others stay. */
    public void write(Path file) {
        ResultFile whole = Files.exists(file) ? replacingIn(read(file)) : this;
        try {
            // Moved as a whole, so that a run that is broken off leaves the file as it was.
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, LINES.writeValueAsString(whole.sorted()) + "\n");
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write " + file, failure);
        }
    }

    /** The results of all runs. */
    public List<RowResult> results() {
        return runs.stream().flatMap(run -> run.results().stream()).toList();
    }

    Optional<RowResult> find(RowId row) {
        return results().stream().filter(result -> result.id().equals(row)).findAny();
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

    private ResultFile sorted() {
        return new ResultFile(runs.stream()
                .map(run -> new Run(
                        run.circumstances(),
                        run.results().stream()
                                .sorted(Comparator.comparing(RowResult::id))
                                .toList()))
                .toList());
    }

    /** Begins a line for each run, circumstance and result, and for nothing inside of them. */
    private enum ResultLines implements DefaultPrettyPrinter.Indenter {
        INSTANCE;

        private static final int DEEPEST = 4;

        @Override
        public boolean isInline() {
            return false;
        }

        @Override
        public void writeIndentation(JsonGenerator generator, int level) {
            if (level <= DEEPEST) {
                DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n").writeIndentation(generator, level);
            } else {
                generator.writeRaw(' ');
            }
        }
    }
}
