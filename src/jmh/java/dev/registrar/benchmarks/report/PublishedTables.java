package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/** Tables of published figures, of what was really measured, and of our results. */
final class PublishedTables {
    /** How to read the tables. */
    static final String NOTE =
            "A ratio divides our rate by the rate of what the published benchmark really measured. Machines and"
                    + " languages differ, so it shows only the order of magnitude. Not comparable: our row does what"
                    + " the printed name says, but the published benchmark measured something else. Within the error:"
                    + " the error of ours reaches the published rate, or the nearer end of its range. Our bytes per call"
                    + " are those of all threads of the JVM, with what the database driver allocates. The row pool/select"
                    + " load=single pool=bare has that of a bare select of one caller, which alone is more than go-crablet"
                    + " prints for its shortest reads and appends.";

    private static final List<Column> COLUMNS = List.of(
            Column.words("Row"),
            Column.words("Printed"),
            Column.numbers("Really measured"),
            Column.numbers("Ours"),
            Column.numbers("Ratio"),
            Column.words("Printed memory, allocations"),
            Column.numbers("Our B/call"),
            Column.remarks("Remark"));

    private final List<PublishedRow> published;
    private final ResultFile results;

    PublishedTables(List<PublishedRow> published, ResultFile results) {
        this.published = List.copyOf(published);
        this.results = results;
    }

    /** Returns a table for each table of the document, in its order. */
    List<Table> of(PublishedDocument document) {
        return published.stream()
                .filter(row -> row.document() == document)
                .collect(groupingBy(PublishedRow::table, LinkedHashMap::new, toList()))
                .entrySet()
                .stream()
                .map(table -> new Table(
                        "%s (ours: %s)".formatted(table.getKey(), results.servers()),
                        COLUMNS,
                        table.getValue().stream().flatMap(this::lines).toList()))
                .toList();
    }

    private Stream<List<Cell>> lines(PublishedRow row) {
        return row.rows().isEmpty()
                ? Stream.of(line(row, Cell.of("over HTTP: " + row.simulation()), "", ""))
                : Stream.concat(
                        row.equivalents().stream().map(equivalent -> compared(row, equivalent)),
                        row.namesakes().stream().map(namesake -> namesake(row, namesake)));
    }

    /** Returns a row of ours with the same name that measures something else. */
    private List<Cell> namesake(PublishedRow row, RowId namesake) {
        return results.find(namesake)
                .map(result -> {
                    String mark = result.isSteady() ? "" : ", " + Numbers.NOT_STEADY;
                    Cell cell =
                            new Cell(Numbers.text(result.callsPerSecond()) + " calls/s" + mark, namesake.toString());
                    return line(row, cell, "not comparable", Numbers.text(result.bytesPerCall()));
                })
                .orElseGet(() -> notMeasured(row, namesake));
    }

    private List<Cell> compared(PublishedRow row, RowId equivalent) {
        return results.find(equivalent)
                .map(result -> switch (row.unit()) {
                    case CALLS_PER_SECOND -> rate(row, result, result.callsPerSecond());
                    case EVENTS_PER_SECOND ->
                        result.eventsPerCall() > 0
                                ? rate(row, result, result.eventsPerSecond())
                                : line(row, new Cell("no events", equivalent.toString()), "", "");
                    case BYTES_PER_CALL -> bytes(row, result);
                })
                .orElseGet(() -> notMeasured(row, equivalent));
    }

    private static List<Cell> rate(PublishedRow row, RowResult result, Estimate ours) {
        Range actual = row.actual();
        Cell cell = new Cell(
                "%s %s".formatted(Numbers.text(ours), row.unit().symbol()),
                result.id().toString());
        String ratio = actual == null || ours.value() == 0 ? "" : ratio(actual, ours);
        return line(row, cell, result.isSteady() ? ratio : Numbers.NOT_STEADY, Numbers.text(result.bytesPerCall()));
    }

    private static String ratio(Range actual, Estimate ours) {
        boolean isOutside = !actual.contains(ours.value());
        boolean isNear = ours.least() <= actual.most() && ours.most() >= actual.least();
        return actual.ratioOf(ours.value()) + (isOutside && isNear ? "×, within the error" : "×");
    }

    private static List<Cell> bytes(PublishedRow row, RowResult result) {
        String text = Numbers.text(result.bytesPerCall());
        String withUnit = text.equals(Numbers.NOT_MEASURED)
                ? text
                : "%s %s".formatted(text, row.unit().symbol());
        String mark = result.isSteady() ? "" : Numbers.NOT_STEADY;
        return line(row, new Cell(withUnit, result.id().toString()), mark, text);
    }

    private static List<Cell> notMeasured(PublishedRow row, RowId ours) {
        return line(row, new Cell(Numbers.NOT_MEASURED, ours.toString()), "", "");
    }

    private static List<Cell> line(PublishedRow row, Cell ours, String ratio, String bytesPerCall) {
        return List.of(
                Cell.of(row.name()),
                Cell.of(row.figure()),
                Cell.of(row.actualText()),
                ours,
                Cell.of(ratio),
                Cell.of(row.memory()),
                Cell.of(bytesPerCall),
                Cell.of(row.remark()));
    }
}
