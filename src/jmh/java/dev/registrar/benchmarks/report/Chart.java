package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.report.Html.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of rates with a bar for each.
 *
 * @param id also of rows of other systems: {@code beside-id/system callers=10} becomes a line of its own
 * @param shows one sentence
 * @param across what the columns are, as in {@code callers}
 */
record Chart(String id, String title, String shows, String across, List<Integer> columns, List<Line> lines) {
    /**
     * Rows that differ in one number.
     *
     * @param rows the ids, one for each column, or one with {@code %s} in place of the number
     */
    record Line(String name, List<String> rows) {
        Line(String name, String... rows) {
            this(name, List.of(rows));
        }

        String row(int column, int number) {
            return rows.size() == 1 ? rows.getFirst().formatted(number) : rows.get(column);
        }
    }

    /** Returns the chart as HTML, without the columns and lines that have no value; nothing if there is no value. */
    String html(Map<String, Measured> rows) {
        List<Line> all = new ArrayList<>(lines);
        String beside = "beside-%s/".formatted(id);
        rows.keySet().stream()
                .filter(row -> row.startsWith(beside))
                .map(row -> row.replaceFirst(" callers=.*", ""))
                .distinct()
                .map(row -> new Line(row.substring(beside.length()), row + " callers=%s"))
                .forEach(all::add);
        List<Integer> measured = IntStream.range(0, columns.size())
                .filter(column ->
                        all.stream().anyMatch(line -> value(line, column, rows).isPresent()))
                .boxed()
                .toList();
        all.removeIf(line ->
                measured.stream().allMatch(column -> value(line, column, rows).isEmpty()));
        if (all.isEmpty()) {
            return "";
        }
        List<Measured> values = all.stream()
                .flatMap(line -> measured.stream().flatMap(column -> value(line, column, rows).stream()))
                .toList();
        Map<String, String> main = mostFrequent(values);
        double most = values.stream().mapToDouble(Measured::rate).max().orElseThrow();
        String table = Html.table(
                title,
                Stream.concat(
                                Stream.of("calls/s by " + across),
                                measured.stream().map(column -> String.format(Locale.ROOT, "%,d", columns.get(column))))
                        .toList(),
                all.stream()
                        .map(line -> Stream.concat(
                                        Stream.of(Cell.of(line.name())),
                                        measured.stream()
                                                .map(column -> value(line, column, rows)
                                                        .map(row -> cell(row, most, main))
                                                        .orElse(Cell.of("–"))))
                                .toList())
                        .toList());
        return Html.section(
                id, title, "<p>%s %s</p>\n%s".formatted(Html.escape(shows), Html.escape(measured(main)), table));
    }

    private Optional<Measured> value(Line line, int column, Map<String, Measured> rows) {
        return Optional.ofNullable(rows.get(line.row(column, columns.get(column))));
    }

    private static Map<String, String> mostFrequent(List<Measured> values) {
        return values.stream()
                .map(Measured::circumstances)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /* The speed of the machine differs between runs, so a value of another run says so. */
    private static Cell cell(Measured row, double most, Map<String, String> main) {
        List<String> details = new ArrayList<>();
        details.add("%s–%s".formatted(Measured.text(row.least()), Measured.text(row.most())));
        if (!Double.isNaN(row.p50Millis())) {
            details.add("p50 %s ms".formatted(Measured.text(row.p50Millis())));
        }
        if (!Double.isNaN(row.p99Millis())) {
            details.add("p99 %s ms".formatted(Measured.text(row.p99Millis())));
        }
        if (!row.cpuMicros().isEmpty()) {
            details.add(
                    "CPU of service and PostgreSQL %s µs".formatted(Measured.text(Measured.median(row.cpuMicros()))));
        }
        if (!row.circumstances().equals(main)) {
            details.add("another run: " + measured(row.circumstances()));
        }
        return new Cell(Measured.text(row.rate()), String.join("; ", details), row.rate() / most);
    }

    private static String measured(Map<String, String> run) {
        return "Measured %.10s, commit %s, %s."
                .formatted(
                        run.getOrDefault("at", ""), run.getOrDefault("commit", ""), run.getOrDefault("processors", ""));
    }
}
