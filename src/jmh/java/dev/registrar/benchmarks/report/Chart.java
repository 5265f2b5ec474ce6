package dev.registrar.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question of the overview, which a table of rates with a bar for each answers.
 *
 * @param id also of rows of other systems: {@code beside-id/system callers=10} becomes a line of its own
 * @param shows one sentence
 * @param across what the columns are, as in {@code callers}
 */
record Chart(String id, String title, String shows, String across, List<String> columns, List<Line> lines) {
    /**
     * Rows that differ in one parameter.
     *
     * @param rows the ids, one for each column, or one with {@code %s} in place of the column
     */
    record Line(String name, List<String> rows) {}

    /** A chart with its values, without the columns and lines that have none. */
    record Answered(Chart chart, String measured, List<String> columns, List<Bars> lines) {}

    /** @param note where the values come from, unless it is the run of most of the chart */
    record Bars(String name, String note, List<Bar> bars) {}

    /** @param percent of the greatest rate in the chart; 0 if there is no value */
    record Bar(String rate, String details, long percent) {}

    /** Returns all charts. */
    static List<Chart> all() {
        return List.of(JsonMapper.shared()
                .readValue(Pages.text(new ClassPathResource("charts.json", Chart.class)), Chart[].class));
    }

    String row(Line line, String column) {
        return line.rows().size() == 1
                ? line.rows().getFirst().formatted(column)
                : line.rows().get(columns.indexOf(column));
    }

    /** Returns nothing if no row of the chart was measured. */
    Optional<Answered> answered(Map<String, Measured> rows) {
        List<Line> measured = Stream.concat(lines.stream(), besides(rows))
                .filter(line -> values(line, rows).findAny().isPresent())
                .toList();
        List<Measured> values =
                measured.stream().flatMap(line -> values(line, rows)).toList();
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> run = mostFrequent(values);
        double most = values.stream().mapToDouble(Measured::rate).max().orElseThrow();
        List<String> shown = columns.stream()
                .filter(column -> measured.stream().anyMatch(line -> rows.containsKey(row(line, column))))
                .toList();
        return Optional.of(new Answered(
                this,
                measured(run),
                shown.stream().map(Chart::heading).toList(),
                measured.stream()
                        .map(line -> new Bars(
                                line.name(),
                                values(line, rows)
                                        .map(Measured::circumstances)
                                        .filter(other -> !other.equals(run))
                                        .distinct()
                                        .map(Chart::measured)
                                        .collect(Collectors.joining(" ")),
                                shown.stream()
                                        .map(column -> bar(Optional.ofNullable(rows.get(row(line, column))), most))
                                        .toList()))
                        .toList()));
    }

    private Stream<Line> besides(Map<String, Measured> rows) {
        String prefix = "beside-%s/".formatted(id);
        return rows.keySet().stream()
                .filter(row -> row.startsWith(prefix))
                .map(row -> row.replaceFirst(" callers=.*", ""))
                .distinct()
                .map(row -> new Line(row.substring(prefix.length()), List.of(row + " callers=%s")));
    }

    private Stream<Measured> values(Line line, Map<String, Measured> rows) {
        return columns.stream().flatMap(column -> Stream.ofNullable(rows.get(row(line, column))));
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

    /* The speed of the machine differs between runs, so a line of another run says so. */
    private static String measured(Map<String, String> run) {
        return "Measured %.10s, commit %s, %s."
                .formatted(
                        run.getOrDefault("at", ""), run.getOrDefault("commit", ""), run.getOrDefault("processors", ""));
    }

    private static String heading(String column) {
        return column.matches("[0-9]+") ? String.format(Locale.ROOT, "%,d", Long.valueOf(column)) : column;
    }

    private static Bar bar(Optional<Measured> value, double most) {
        return value.map(row -> new Bar(
                        Measured.text(row.rate()), details(row), Math.max(1, Math.round(row.rate() / most * 100))))
                .orElse(new Bar("–", "", 0));
    }

    private static String details(Measured row) {
        List<String> details = new ArrayList<>();
        if (row.callsPerSecond().size() > 1) {
            details.add("%s–%s".formatted(Measured.text(row.least()), Measured.text(row.most())));
        }
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
        return String.join("; ", details);
    }
}
