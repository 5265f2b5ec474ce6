package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toMap;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rows that are slower than what was published, each with its reason. */
final class SlowerRows {
    private static final String REASONS = "slower-rows.csv";

    private static final List<Column> COLUMNS = List.of(
            Column.words("Row"),
            Column.words("Published as"),
            Column.numbers("Really measured"),
            Column.numbers("Ours"),
            Column.numbers("Ratio"),
            Column.remarks("Reason"));

    private final List<PublishedRow> published;
    private final ResultFile results;
    private final Map<RowId, String> reasons;

    SlowerRows(List<PublishedRow> published, ResultFile results) {
        this.published = List.copyOf(published);
        this.results = results;
        this.reasons = reasons();
    }

    /** Returns the reasons, one sentence each, by row. A row may have one although it is not slower now. */
    static Map<RowId, String> reasons() {
        InputStream file = SlowerRows.class.getResourceAsStream(REASONS);
        if (file == null) {
            throw new IllegalStateException("No resource " + REASONS);
        }
        try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(file)) {
            return records.stream()
                    .collect(toMap(line -> RowId.parse(line.getField("row")), line -> line.getField("reason")));
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + REASONS, failure);
        }
    }

    /** Returns a line for each published figure and steady row of ours that is below it. */
    Table table() {
        List<List<Cell>> lines = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (PublishedRow row : published) {
            for (RowId equivalent : row.equivalents()) {
                results.find(equivalent)
                        .filter(RowResult::isSteady)
                        .filter(result -> isSlower(row, result))
                        .filter(result -> seen.add(List.of(equivalent, row.actualText())))
                        .ifPresent(result -> lines.add(line(row, result)));
            }
        }
        return new Table("Slower than published", COLUMNS, lines);
    }

    private static boolean isSlower(PublishedRow row, RowResult result) {
        Range actual = row.actual();
        double ours = ours(row, result).value();
        return actual != null && row.unit() != Unit.BYTES_PER_CALL && ours > 0 && ours < actual.least();
    }

    private static Estimate ours(PublishedRow row, RowResult result) {
        return row.unit() == Unit.EVENTS_PER_SECOND ? result.eventsPerSecond() : result.callsPerSecond();
    }

    private List<Cell> line(PublishedRow row, RowResult result) {
        Estimate ours = ours(row, result);
        return List.of(
                Cell.of(result.id().toString()),
                Cell.of("%s: %s: %s".formatted(row.document().title(), row.table(), row.name())),
                Cell.of(row.actualText()),
                Cell.of("%s %s".formatted(Numbers.text(ours), row.unit().symbol())),
                Cell.of(row.actual() == null ? "" : row.actual().ratioOf(ours.value()) + "×"),
                Cell.of(reasons.getOrDefault(result.id(), "not explained yet")));
    }
}
