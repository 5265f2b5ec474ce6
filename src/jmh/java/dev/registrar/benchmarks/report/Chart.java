package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import dev.registrar.eventstore.KebabCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A table of some results that the page's script also draws, as bars that start at 0.
 *
 * @param shows one sentence that says what the chart shows
 * @param across what the columns are, as in {@code callers}
 * @param unit of all values
 * @param columns the values of {@code across} in ascending order
 * @param missing the rows of the suite that the chart shows once they are measured
 */
record Chart(
        String title,
        String shows,
        Kind kind,
        String across,
        String unit,
        List<Integer> columns,
        List<Series> series,
        List<RowId> missing) {
    private static final Set<String> NOT_DRAWN = Set.of(Numbers.NOT_MEASURED, Numbers.NOT_STEADY, Numbers.OTHER_RUN);

    /** How the script draws the table. */
    enum Kind {
        /** A group of upright bars for each column of the table, with a bar for each row. */
        GROUPS,
        /** A level bar for each row of the table; there is one column. */
        BARS
    }

    /**
     * A row of the table.
     *
     * @param values the text of each column, as {@link Numbers} writes it
     */
    record Series(String name, List<String> values) {
        public Series {
            values = List.copyOf(values);
        }
    }

    Chart {
        columns = List.copyOf(columns);
        series = List.copyOf(series);
        missing = List.copyOf(missing);
    }

    /** The chart of one value for each name. */
    static Chart bars(String title, String shows, String name, String unit, List<Series> series, List<RowId> missing) {
        return new Chart(title, shows, Kind.BARS, name, unit, List.of(), series, missing);
    }

    /** Whether it has no value to draw. */
    boolean isEmpty() {
        return values().allMatch(NOT_DRAWN::contains);
    }

    private Stream<String> values() {
        return series.stream().flatMap(row -> row.values().stream());
    }

    private String nothing() {
        return "<p>%s</p>"
                .formatted(values().anyMatch(Numbers.NOT_STEADY::equals) ? Numbers.NOT_STEADY : Numbers.NOT_MEASURED);
    }

    /** The figure with its table, above which the script draws, and with the rows that were not measured. */
    String html() {
        return """
                <figure data-chart="%s" data-across="%s" data-unit="%s">
                <figcaption>%s</figcaption>
                <p>%s</p>
                %s
                %s</figure>""".formatted(
                        KebabCase.of(kind),
                        escape(across),
                        escape(unit),
                        escape(title),
                        escape(shows),
                        isEmpty() ? nothing() : table().html(),
                        missingRows());
    }

    Table table() {
        List<Column> header = new ArrayList<>();
        if (kind == Kind.BARS) {
            header.add(Column.words(across));
            header.add(Column.numbers(unit));
        } else {
            header.add(Column.words("%s by %s".formatted(unit, across)));
            columns.forEach(column -> header.add(Column.numbers(String.format(Locale.ROOT, "%,d", column))));
        }
        return new Table(
                title,
                header,
                series.stream()
                        .map(row -> Stream.concat(Stream.of(row.name()), row.values().stream())
                                .map(Cell::of)
                                .toList())
                        .toList());
    }

    private String missingRows() {
        return missing.isEmpty()
                ? ""
                : missing.stream()
                        .map(row -> "<li><code>%s</code></li>".formatted(escape(row.toString())))
                        .collect(joining(
                                "",
                                "<details><summary>%s rows %s</summary><ul>"
                                        .formatted(missing.size(), Numbers.NOT_MEASURED),
                                "</ul></details>\n"));
    }
}
