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

/** What documents printed, what that really was, and what was measured here. */
final class PublishedTables {
    /** How the tables are to be read. */
    static final String NOTE =
            "A ratio is ours by what the printed figure really was; as machines and languages differ,"
                    + " it tells the order of magnitude. Not alike is a row of ours that does what the name says, where"
                    + " something else was measured.";

    private static final List<Column> COLUMNS = List.of(
            Column.words("Row"),
            Column.words("Printed"),
            Column.numbers("What it really was"),
            Column.numbers("Ours"),
            Column.numbers("Ratio"),
            Column.remarks("Remark"));

    private final List<PublishedRow> published;
    private final ResultFile results;

    PublishedTables(List<PublishedRow> published, ResultFile results) {
        this.published = List.copyOf(published);
        this.results = results;
    }

    /** A table for each table of the document, in its order. */
    List<Table> full(PublishedDocument document) {
        return tables(rowsOf(document));
    }

    /** Without the rows that repeat an earlier one of the document. */
    List<Table> brief(PublishedDocument document) {
        Set<List<Object>> told = new HashSet<>();
        return tables(rowsOf(document).filter(row -> told.add(List.of(row.truthText(), row.rows()))));
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
                        row.answers().stream().map(answer -> answered(row, answer)),
                        row.namesakes().stream().map(namesake -> beside(row, namesake)));
    }

    /** What is measured under the same name, and is something else. */
    private List<Cell> beside(PublishedRow row, RowId namesake) {
        String text = results.find(namesake)
                .map(result -> Numbers.text(result.callsPerSecond()) + " calls/s")
                .orElse(Numbers.NOT_MEASURED);
        return line(row, new Cell(text, namesake.toString()), "not alike");
    }

    private List<Cell> answered(PublishedRow row, RowId answer) {
        String name = answer.toString();
        return results.find(answer)
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

    private static List<Cell> rate(PublishedRow row, String answer, Estimate ours) {
        Range truth = row.truth();
        Cell cell = new Cell("%s %s".formatted(Numbers.text(ours), row.unit().symbol()), answer);
        return line(row, cell, truth == null || ours.value() == 0 ? "" : truth.into(ours.value()) + "×");
    }

    private static List<Cell> bytes(PublishedRow row, String answer, double ours) {
        String text = Double.isNaN(ours)
                ? Numbers.NOT_MEASURED
                : "%s %s".formatted(Numbers.text(ours), row.unit().symbol());
        return line(row, new Cell(text, answer), "");
    }

    private static List<Cell> line(PublishedRow row, Cell ours, String ratio) {
        return List.of(
                Cell.of(row.name()),
                Cell.of(row.figure()),
                Cell.of(row.truthText()),
                ours,
                Cell.of(ratio),
                Cell.of(row.remark()));
    }
}
