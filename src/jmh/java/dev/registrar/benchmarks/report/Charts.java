package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.report.Chart.Dot;
import dev.registrar.benchmarks.report.Chart.Line;
import dev.registrar.benchmarks.report.Chart.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The charts of the page. */
final class Charts {
    private static final List<Integer> CALLERS = List.of(1, 10, 100);
    private static final List<Integer> LOCK_CALLERS = List.of(5, 8, 10, 20);
    private static final List<Integer> BATCHES = List.of(2, 5, 10, 20, 50, 100, 1000);
    private static final List<Integer> STORED = List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000);

    private static final String ACROSS_CALLERS = "callers at a time";
    private static final String CALLS = "calls/s";

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
        return new Chart.Lines(
                "Throughput of writes against callers",
                ACROSS_CALLERS,
                CALLS,
                false,
                List.of(
                        calls("append", APPEND, CALLERS),
                        calls("append-if", APPEND_IF, CALLERS),
                        calls(
                                "append-if, refused",
                                "append-if/with-conflict dataset=small events=1 callers=%d",
                                CALLERS),
                        calls("enroll, many courses", ENROLL, CALLERS),
                        calls("enroll, one course", "enrollment/one-course callers=%d", CALLERS)));
    }

    private Chart strategies() {
        return new Chart.Lines(
                "Append-if by what protects it, against callers",
                ACROSS_CALLERS,
                CALLS,
                false,
                List.of(
                        strategy("group append, as it is", "group-append"),
                        strategy("one advisory lock", "one-advisory-lock"),
                        strategy("advisory lock per tag", "advisory-lock-per-tag"),
                        strategy("table lock", "table-lock"),
                        strategy("serializable, with retries", "serializable")));
    }

    private Line strategy(String name, String strategy) {
        return calls(name, "ablation/append-if dataset=small strategy=" + strategy + " callers=%d", CALLERS);
    }

    private Chart locks() {
        return new Chart.Lines(
                "Appends under resource locks, against callers",
                ACROSS_CALLERS,
                CALLS,
                false,
                List.of(
                        calls("many keys", "locks/many-keys dataset=small callers=%d", LOCK_CALLERS),
                        calls("one key", "locks/one-key dataset=small callers=%d", LOCK_CALLERS)));
    }

    private Chart latency() {
        List<Line> lines = new ArrayList<>();
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("append", APPEND);
        rows.put("append-if", APPEND_IF);
        rows.put("enroll", ENROLL);
        rows.forEach((name, row) -> {
            lines.add(line(name + " p50", false, row, CALLERS, result -> exactly(result.medianMicros())));
            lines.add(line(name + " p99", true, row, CALLERS, result -> exactly(result.p99Micros())));
        });
        return new Chart.Lines("Latency of writes against callers", ACROSS_CALLERS, "µs", true, lines);
    }

    private Chart projections() {
        List<Integer> callers = List.of(1, 10, 25);
        return new Chart.Lines(
                "Throughput of projections against callers",
                ACROSS_CALLERS,
                CALLS,
                false,
                List.of(
                        calls("from a list", "project/concurrent dataset=small callers=%d", callers),
                        calls("streamed", "project/concurrent-streamed dataset=small callers=%d", callers)));
    }

    private Chart storeSize() {
        return new Chart.Lines(
                "Throughput of append-if against the size of the store",
                "events in the store",
                CALLS,
                false,
                List.of(
                        calls("100 callers", "append-if/store-size stored=%d callers=100", STORED),
                        calls("1 caller", "append-if/store-size stored=%d callers=1", STORED)));
    }

    private Chart batches() {
        Line batches = line(
                "append, 1 caller",
                false,
                "append/batch dataset=small events=%d callers=1",
                BATCHES,
                RowResult::eventsPerSecond);
        return new Chart.Lines(
                "Events appended per second, by events in a call",
                "events in a call",
                "events/s",
                false,
                List.of(batches));
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
        List<Dot> dots = new ArrayList<>();
        List<RowId> missing = new ArrayList<>();
        rows.forEach((name, row) -> {
            RowId id = RowId.parse(row);
            results.find(id)
                    .map(RowResult::bytesPerCall)
                    .filter(bytes -> bytes > 0)
                    .ifPresentOrElse(bytes -> dots.add(new Dot(name, bytes)), () -> missing.add(id));
        });
        return new Chart.Dots("Heap allocated by a call", "B/call", dots, missing);
    }

    private Line calls(String name, String row, List<Integer> along) {
        return line(name, false, row, along, RowResult::callsPerSecond);
    }

    /** @param row with a place for the value along which the line goes */
    private Line line(
            String name, boolean dashed, String row, List<Integer> along, Function<RowResult, Estimate> measure) {
        List<Point> points = new ArrayList<>();
        List<RowId> missing = new ArrayList<>();
        for (int x : along) {
            RowId id = RowId.parse(row.formatted(x));
            results.find(id)
                    .map(measure)
                    .filter(estimate -> estimate.value() > 0)
                    .ifPresentOrElse(estimate -> points.add(point(x, estimate)), () -> missing.add(id));
        }
        return new Line(name, dashed, points, missing);
    }

    private static Point point(int x, Estimate estimate) {
        return new Point(x, estimate.value(), Double.isNaN(estimate.error()) ? 0 : estimate.error());
    }

    private static Estimate exactly(double value) {
        return new Estimate(value, 0, List.of(value));
    }
}
