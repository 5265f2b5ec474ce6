package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.report.Chart.Kind;
import dev.registrar.benchmarks.report.Chart.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The charts of the page. */
final class Charts {
    private static final List<Integer> CALLERS = List.of(1, 10, 100);

    private static final String ACROSS_CALLERS = "callers at a time";

    private static final String APPEND = "append/concurrent dataset=small events=1 callers=%d";
    private static final String APPEND_IF = "append-if/no-conflict dataset=small events=1 callers=%d";
    private static final String ENROLL = "enrollment/many-courses dataset=small callers=%d";

    private final ResultFile results;

    Charts(ResultFile results) {
        this.results = results;
    }

    List<Chart> all() {
        return List.of(
                throughput(), strategies(), locks(), latency(), projections(), storeSize(), batches(), allocation());
    }

    private Chart throughput() {
        return calls(
                "Throughput of writes against callers",
                ACROSS_CALLERS,
                CALLERS,
                calls("append", APPEND),
                calls("append-if", APPEND_IF),
                calls("append-if, refused", "append-if/with-conflict dataset=small events=1 callers=%d"),
                calls("enroll, many courses", ENROLL),
                calls("enroll, one course", "enrollment/one-course callers=%d"));
    }

    private Chart strategies() {
        return calls(
                "Append-if by what protects it, against callers",
                ACROSS_CALLERS,
                CALLERS,
                strategy("group append, as it is", "group-append"),
                strategy("one advisory lock", "one-advisory-lock"),
                strategy("advisory lock per tag", "advisory-lock-per-tag"),
                strategy("table lock", "table-lock"),
                strategy("serializable, with retries", "serializable"));
    }

    private static Line strategy(String name, String strategy) {
        return calls(name, "ablation/append-if dataset=small strategy=" + strategy + " callers=%d");
    }

    private Chart locks() {
        return calls(
                "Appends under resource locks, against callers",
                ACROSS_CALLERS,
                List.of(5, 8, 10, 20),
                calls("many keys", "locks/many-keys dataset=small callers=%d"),
                calls("one key", "locks/one-key dataset=small callers=%d"));
    }

    private Chart latency() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("append", APPEND);
        rows.put("append-if", APPEND_IF);
        rows.put("enroll", ENROLL);
        List<Line> lines = new ArrayList<>();
        rows.forEach((name, row) -> {
            lines.add(new Line(name + " p50", row, result -> Numbers.text(result.medianMicros())));
            lines.add(new Line(name + " p99", row, result -> Numbers.text(result.p99Micros())));
        });
        return lines("Latency of writes against callers", Kind.LOGARITHMIC_LINES, ACROSS_CALLERS, "µs", CALLERS, lines);
    }

    private Chart projections() {
        return calls(
                "Throughput of projections against callers",
                ACROSS_CALLERS,
                List.of(1, 10, 25),
                calls("from a list", "project/concurrent dataset=small events=100 callers=%d"),
                calls("streamed", "project/concurrent-streamed dataset=small events=100 callers=%d"));
    }

    private Chart storeSize() {
        return calls(
                "Throughput of append-if against the size of the store",
                "events in the store",
                List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000),
                calls("100 callers", "append-if/store-size stored=%d callers=100"),
                calls("1 caller", "append-if/store-size stored=%d callers=1"));
    }

    private Chart batches() {
        return lines(
                "Events appended per second, by events in a call",
                Kind.LINES,
                "events in a call",
                "events/s",
                List.of(2, 5, 10, 20, 50, 100, 1000),
                List.of(new Line(
                        "append, 1 caller",
                        "append/batch dataset=small events=%d callers=1",
                        result -> Numbers.text(result.eventsPerSecond()))));
    }

    private Chart allocation() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("append 1", "append/single dataset=small callers=1");
        rows.put("append 10", "append/batch dataset=small events=10 callers=1");
        rows.put("append 100", "append/batch dataset=small events=100 callers=1");
        rows.put("append-if", APPEND_IF.formatted(1));
        rows.put("append-if, refused", "append-if/with-conflict dataset=small events=1 callers=1");
        rows.put("enroll", ENROLL.formatted(1));
        rows.put("append, locked", "locks/single dataset=small callers=1");
        rows.put("read 1", "read/single as=list dataset=small callers=1");
        rows.put("read 1,000", "read/batch as=list dataset=small callers=1");
        rows.put("read 1,000, streamed", "read/batch as=stream dataset=small callers=1");
        rows.put("project 100", "project/list dataset=small events=100 projections=1 callers=1");
        rows.put("project 10,000", "project/list dataset=small events=10000 projections=1 callers=1");
        rows.put("project 10,000, streamed", "project/streamed dataset=small events=10000 projections=1 callers=1");
        List<Series> series = new ArrayList<>();
        List<RowId> missing = new ArrayList<>();
        rows.forEach((name, row) -> {
            RowId id = RowId.parse(row);
            String text = measured(id, result -> Numbers.text(result.bytesPerCall()), missing);
            series.add(new Series(name, List.of(text)));
        });
        return Chart.points("Heap allocated by a call", "call", "B/call", series, missing);
    }

    /**
     * Rows of the suite that differ in one number.
     *
     * @param row the rows' id, with {@code %d} in place of the number
     * @param measure the text of the value that the chart shows
     */
    private record Line(String name, String row, Function<RowResult, String> measure) {}

    private static Line calls(String name, String row) {
        return new Line(name, row, result -> Numbers.text(result.callsPerSecond()));
    }

    private Chart calls(String title, String across, List<Integer> along, Line... lines) {
        return lines(title, Kind.LINES, across, "calls/s", along, List.of(lines));
    }

    private Chart lines(String title, Kind kind, String across, String unit, List<Integer> along, List<Line> lines) {
        Set<RowId> missing = new LinkedHashSet<>();
        List<Series> series = new ArrayList<>();
        for (Line line : lines) {
            List<String> values = along.stream()
                    .map(x -> measured(RowId.parse(line.row().formatted(x)), line.measure(), missing))
                    .toList();
            series.add(new Series(line.name(), values));
        }
        return new Chart(title, kind, across, unit, along, series, List.copyOf(missing));
    }

    private String measured(RowId row, Function<RowResult, String> measure, Collection<RowId> missing) {
        String text = results.find(row)
                .map(result -> result.isSteady() ? measure.apply(result) : Numbers.UNSTEADY)
                .orElse(Numbers.NOT_MEASURED);
        if (text.equals(Numbers.NOT_MEASURED)) {
            missing.add(row);
        }
        return text;
    }
}
