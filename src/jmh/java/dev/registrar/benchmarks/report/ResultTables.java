package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All results, with a table for each group of rows. */
final class ResultTables {
    private static final List<String> GROUPS = List.of(
            "append",
            "append-if",
            "locks",
            "durability",
            "read",
            "project",
            "rebuild",
            "enrollment",
            "pool",
            "resilience",
            "ablation");

    /** In the order above; other groups follow in alphabetical order. */
    private static final Comparator<String> ORDER = Comparator.<String>comparingInt(
                    group -> GROUPS.contains(group) ? GROUPS.indexOf(group) : GROUPS.size())
            .thenComparing(Comparator.naturalOrder());

    /** The group with a column for the time per returned event. */
    private static final String READS = "read";

    private static final List<Column> NOT_STEADY =
            List.of(Column.words("Row"), Column.numbers("calls/s"), Column.words("Reason"), Column.numbers("Attempts"));

    private final ResultFile results;

    ResultTables(ResultFile results) {
        this.results = results;
    }

    /** Returns a table for each group. */
    List<Table> all() {
        return groups().entrySet().stream()
                .map(group -> table(group.getKey(), group.getValue()))
                .toList();
    }

    /** Returns a table of the rows that are not steady, which nothing is compared with. */
    Table notSteady() {
        List<List<Cell>> rows = groups().values().stream()
                .flatMap(List::stream)
                .map(MeasuredRow::result)
                .filter(result -> !result.isSteady())
                .map(result -> List.of(
                        Cell.of(result.id().toString()),
                        Cell.of(Numbers.text(result.callsPerSecond())),
                        Cell.of(result.unsteady()),
                        Cell.of(Integer.toString(result.attempts()))))
                .toList();
        return new Table("Rows that are not steady", NOT_STEADY, rows);
    }

    private record MeasuredRow(RowResult result, Run run) {}

    private Map<String, List<MeasuredRow>> groups() {
        return results.runs().stream()
                .flatMap(run -> run.results().stream().map(result -> new MeasuredRow(result, run)))
                .sorted(Comparator.comparing(row -> row.result().id()))
                .collect(groupingBy(row -> row.result().id().group(), () -> new TreeMap<>(ORDER), toList()));
    }

    private static Table table(String group, List<MeasuredRow> rows) {
        boolean reads = group.equals(READS);
        List<Column> columns = new ArrayList<>(List.of(
                Column.words("Row"),
                Column.words("Parameters"),
                Column.numbers("Callers"),
                Column.numbers("calls/s"),
                Column.numbers("events/s"),
                Column.numbers("p50 µs"),
                Column.numbers("p99 µs"),
                Column.numbers("p99.9 µs"),
                Column.numbers("B/call"),
                Column.numbers("Attempts")));
        if (reads) {
            columns.add(Column.numbers("µs per returned event"));
        }
        columns.add(Column.words("Server"));
        columns.add(Column.words("Run"));
        return new Table(
                group, columns, rows.stream().map(row -> cells(row, reads)).toList());
    }

    private static List<Cell> cells(MeasuredRow row, boolean reads) {
        RowResult result = row.result();
        List<Cell> cells = new ArrayList<>(List.of(
                Cell.of(result.row()),
                Cell.of(result.id().parameterText()),
                Cell.of(Integer.toString(result.callers())),
                rate(result),
                Cell.of(eventsPerSecond(result)),
                Cell.of(result.medianMicros()),
                Cell.of(result.p99Micros()),
                Cell.of(result.p999Micros()),
                Cell.of(result.bytesPerCall()),
                Cell.of(Integer.toString(result.attempts()))));
        if (reads) {
            cells.add(Cell.of(result.eventsPerCall() > 0 ? Numbers.text(result.microsPerEvent()) : "none returned"));
        }
        cells.add(Cell.of(row.run().server()));
        cells.add(Cell.of(row.run().at()));
        return cells;
    }

    /** Returns the rate, with the reason if it is not steady. */
    private static Cell rate(RowResult result) {
        String text = Numbers.text(result.callsPerSecond());
        return result.isSteady()
                ? Cell.of(text)
                : new Cell(text, "%s: %s".formatted(Numbers.NOT_STEADY, result.unsteady()));
    }

    private static String eventsPerSecond(RowResult result) {
        return result.eventsPerCall() > 0 ? Numbers.text(result.eventsPerSecond()) : "none";
    }
}
