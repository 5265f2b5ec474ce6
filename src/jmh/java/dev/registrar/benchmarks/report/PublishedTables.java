package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Tables of published figures, of what was really measured, and of our results. */
final class PublishedTables {
    /** How to read the tables. */
    static final String NOTE =
            "A ratio divides our result by what was really measured. Machines and languages differ, so it shows"
                    + " only the order of magnitude. Not comparable: our row does what the published name says, but"
                    + " something else was measured.";

    private static final List<Column> COLUMNS = List.of(
            Column.words("Row"),
            Column.words("Printed"),
            Column.numbers("Really measured"),
            Column.numbers("Ours"),
            Column.numbers("Ratio"),
            Column.remarks("Remark"));

    private final List<PublishedRow> published;
    private final ResultFile results;

    PublishedTables(List<PublishedRow> published, ResultFile results) {
        this.published = List.copyOf(published);
        this.results = results;
    }

    /** Returns a table for each table of the document, in its order. */
    List<Table> full(PublishedDocument document) {
        return tables(rowsOf(document));
    }

    /** Returns the tables without the rows that repeat an earlier row of the document. */
    List<Table> brief(PublishedDocument document) {
        Set<List<Object>> seen = new HashSet<>();
        return tables(rowsOf(document).filter(row -> seen.add(List.of(row.actualText(), row.rows()))));
    }

    private Stream<PublishedRow> rowsOf(PublishedDocument document) {
        return published.stream().filter(row -> row.document() == document);
    }

    private List<Table> tables(Stream<PublishedRow> rows) {
        return rows.collect(groupingBy(PublishedRow::table, LinkedHashMap::new, toList())).entrySet().stream()
                .map(table -> new Table(
                        table.getKey(),
                        COLUMNS,
                        table.getValue().stream().flatMap(this::lines).toList()))
                .toList();
    }

    private Stream<List<Cell>> lines(PublishedRow row) {
        return row.rows().isEmpty()
                ? Stream.of(line(row, Cell.of("not in the suite"), ""))
                : Stream.concat(
                        row.equivalents().stream().map(equivalent -> compared(row, equivalent)),
                        row.namesakes().stream().map(namesake -> namesake(row, namesake)));
    }

    /** Returns a row of ours with the same name that measures something else. */
    private List<Cell> namesake(PublishedRow row, RowId namesake) {
        String text = results.find(namesake)
                .map(result -> Numbers.text(result.callsPerSecond()) + " calls/s")
                .orElse(Numbers.NOT_MEASURED);
        return line(row, new Cell(text, namesake.toString()), "not comparable");
    }

    private List<Cell> compared(PublishedRow row, RowId equivalent) {
        String name = equivalent.toString();
        return results.find(equivalent)
                .map(result -> switch (row.unit()) {
                    case CALLS_PER_SECOND -> rate(row, name, result.callsPerSecond());
                    case EVENTS_PER_SECOND ->
                        result.eventsPerCall() > 0
                                ? rate(row, name, result.eventsPerSecond())
                                : line(row, new Cell("no events", name), "");
                    case BYTES_PER_CALL -> bytes(row, name, result.bytesPerCall());
                })
                .orElseGet(() -> line(row, new Cell(Numbers.NOT_MEASURED, name), ""));
    }

    private static List<Cell> rate(PublishedRow row, String name, Estimate ours) {
        Range actual = row.actual();
        Cell cell = new Cell("%s %s".formatted(Numbers.text(ours), row.unit().symbol()), name);
        return line(row, cell, actual == null || ours.value() == 0 ? "" : actual.ratioOf(ours.value()) + "×");
    }

    private static List<Cell> bytes(PublishedRow row, String name, double ours) {
        String text = Double.isNaN(ours)
                ? Numbers.NOT_MEASURED
                : "%s %s".formatted(Numbers.text(ours), row.unit().symbol());
        return line(row, new Cell(text, name), "");
    }

    private static List<Cell> line(PublishedRow row, Cell ours, String ratio) {
        return List.of(
                Cell.of(row.name()),
                Cell.of(row.figure()),
                Cell.of(row.actualText()),
                ours,
                Cell.of(ratio),
                Cell.of(row.remark()));
    }
}
