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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rows that are slower than what was published, each with its reason. */
final class SlowerRows {
    static final String REASONS = "slower-rows.csv";
    private static final String NO_REASON = "No reason is recorded yet.";

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

    /**
     * Returns the reasons, one sentence each, by row. A line of the file may name several rows, separated by
     * semicolons. A row may have a reason although it is not slower now.
     */
    static Map<RowId, String> reasons() {
        InputStream file = SlowerRows.class.getResourceAsStream(REASONS);
        if (file == null) {
            throw new IllegalStateException("No resource " + REASONS);
        }
        try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(file)) {
            return records.stream()
                    .flatMap(line -> PublishedRow.rows(line.getField("rows")).stream()
                            .map(row -> Map.entry(row, line.getField("reason"))))
                    .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + REASONS, failure);
        }
    }

    /** A steady row of ours that is below a published rate, and not only by its error. */
    private record Slower(PublishedRow row, RowResult result, Range ratio) {
        List<Cell> cells(String reason) {
            return List.of(
                    Cell.of(result.id().toString()),
                    Cell.of("%s: %s: %s".formatted(row.document().title(), row.table(), row.name())),
                    Cell.of(row.actualText()),
                    Cell.of("%s %s"
                            .formatted(
                                    Numbers.text(ours(row, result)), row.unit().symbol())),
                    Cell.of(ratio + "×"),
                    Cell.of(reason));
        }
    }

    /**
     * Returns a line for each published rate and steady row of ours whose error is below it, the lowest ratio first.
     */
    Table table() {
        return new Table(
                "Slower than published",
                COLUMNS,
                slower().stream()
                        .map(found ->
                                found.cells(reasons.getOrDefault(found.result().id(), NO_REASON)))
                        .toList());
    }

    /** Returns the rows that the table shows without a reason, the slowest first. */
    List<RowId> withoutReason() {
        return slower().stream()
                .map(found -> found.result().id())
                .filter(row -> !reasons.containsKey(row))
                .distinct()
                .toList();
    }

    private List<Slower> slower() {
        List<Slower> slower = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (PublishedRow row : published) {
            for (RowId equivalent : row.equivalents()) {
                results.find(equivalent)
                        .flatMap(result -> slower(row, result))
                        .filter(found -> seen.add(List.of(equivalent, row.actualText())))
                        .ifPresent(slower::add);
            }
        }
        slower.sort(Comparator.comparingDouble(found -> found.ratio().most()));
        return slower;
    }

    private static Optional<Slower> slower(PublishedRow row, RowResult result) {
        Range actual = row.actual();
        Estimate ours = ours(row, result);
        return actual == null
                        || row.unit() == Unit.BYTES_PER_CALL
                        || !result.isSteady()
                        || ours.value() <= 0
                        || ours.most() >= actual.least()
                ? Optional.empty()
                : Optional.of(new Slower(row, result, actual.ratioOf(ours.value())));
    }

    private static Estimate ours(PublishedRow row, RowResult result) {
        return row.unit() == Unit.EVENTS_PER_SECOND ? result.eventsPerSecond() : result.callsPerSecond();
    }
}
