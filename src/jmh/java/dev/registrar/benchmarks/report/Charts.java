package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.report.Chart.Kind;
import dev.registrar.benchmarks.report.Chart.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The charts of the page. Only steady rows are drawn, and only steady rows are in the sentences beside the charts. */
final class Charts {
    private static final List<Integer> CALLERS = List.of(1, 10, 100);

    private static final String ACROSS_CALLERS = "callers";

    private static final String APPEND = "append/concurrent dataset=small events=1 callers=%s";
    private static final String APPEND_IF = "append-if/no-conflict dataset=small events=1 callers=%s";
    private static final String ENROLL = "enrollment/many-courses dataset=small callers=%s";
    private static final String BATCH = "append/batch dataset=small events=%s callers=1";
    private static final String STORE_SIZE = "append-if/store-size stored=%s callers=";
    private static final String LIST = "project/concurrent dataset=small events=100 callers=%s";
    private static final String STREAM = "project/concurrent-streamed dataset=small events=100 callers=%s";
    private static final String ONE_KEY = "locks/one-key dataset=small callers=%s";
    private static final String MANY_KEYS = "locks/many-keys dataset=small callers=%s";

    private final ResultFile results;

    Charts(ResultFile results) {
        this.results = results;
    }

    List<Chart> all() {
        return List.of(
                throughput(),
                strategies(),
                median(),
                tail(),
                batches(),
                storeSize(),
                locks(),
                projections(),
                allocation());
    }

    private Chart throughput() {
        return rates(
                "Writes per second",
                ratio("With 100 callers, append does %s times as many calls per second as with one.")
                        .ofRates(RowResult::callsPerSecond, APPEND.formatted(100), APPEND.formatted(1))
                        .orElse("Calls per second of all callers together, by kind of write and number of callers."),
                ACROSS_CALLERS,
                CALLERS,
                rate("append", APPEND),
                rate("append-if", APPEND_IF),
                rate("append-if, refused", "append-if/with-conflict dataset=small events=1 callers=%s"),
                rate("enroll, many courses", ENROLL),
                rate("enroll, one course", "enrollment/one-course callers=%s"));
    }

    private Chart strategies() {
        return rates(
                "One conditional append, by what protects it",
                "Conditional appends per second, by the way in which concurrent ones are kept apart; without group"
                        + " append, the callers share 16 connections.",
                ACROSS_CALLERS,
                CALLERS,
                strategy("group append", "group-append"),
                strategy("one advisory lock", "one-advisory-lock"),
                strategy("advisory lock per tag", "advisory-lock-per-tag"),
                strategy("table lock", "table-lock"),
                strategy("serializable, with retries", "serializable"),
                strategy("repeatable read, unprotected", "repeatable-read"),
                strategy("read committed, unprotected", "read-committed"));
    }

    private static Line strategy(String name, String strategy) {
        return rate(name, "ablation/append-if dataset=small strategy=" + strategy + " callers=%s");
    }

    private Chart locks() {
        return rates(
                "Appends under resource locks",
                ratio("With 20 callers, appends that lock one key reach %s of the rate of appends that lock many keys.")
                        .ofRates(RowResult::callsPerSecond, ONE_KEY.formatted(20), MANY_KEYS.formatted(20))
                        .orElse("Appends per second that lock a named resource: a key of their own each, or one key."),
                ACROSS_CALLERS,
                List.of(5, 8, 10, 20),
                rate("many keys", MANY_KEYS),
                rate("one key", ONE_KEY));
    }

    private Chart median() {
        return latency(
                "Median duration of a write",
                "Half of the calls take at most this long, by number of callers; an error is not estimated.",
                Charts::medianMillis);
    }

    private Chart tail() {
        return latency(
                "99th percentile of the duration of a write",
                "99 of 100 calls take at most this long, by number of callers; an error is not estimated.",
                Charts::p99Millis);
    }

    private Chart projections() {
        return rates(
                "Projections of 100 events per second",
                ratio("With 25 callers, projections of a stream reach %s times the rate of projections of a list.")
                        .ofRates(RowResult::callsPerSecond, STREAM.formatted(25), LIST.formatted(25))
                        .orElse("Projections per second, of events in a list and of a stream of them."),
                ACROSS_CALLERS,
                List.of(1, 10, 25),
                rate("from a list", LIST),
                rate("streamed", STREAM));
    }

    private Chart storeSize() {
        return rates(
                "Conditional appends per second, by stored events",
                ratio("With 100 callers, append-if in a store of 1,000,000 events reaches %s of its rate with 1,000.")
                        .ofRates(RowResult::callsPerSecond, storeSize(1_000_000, 100), storeSize(1_000, 100))
                        .orElse("Append-if per second, by the number of events that the store has."),
                "stored events",
                List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000),
                rate("100 callers", STORE_SIZE + 100),
                rate("1 caller", STORE_SIZE + 1));
    }

    private static String storeSize(int stored, int callers) {
        return (STORE_SIZE + callers).formatted(stored);
    }

    private Chart batches() {
        return groups(
                "Events appended per second, by size of the batch",
                ratio("In batches of 1,000, one caller appends %s times as many events per second as in batches of 2.")
                        .ofRates(RowResult::eventsPerSecond, BATCH.formatted(1_000), BATCH.formatted(2))
                        .orElse("Events per second that one caller appends, by the number of events in a call."),
                "events in a call",
                "events/s",
                List.of(2, 5, 10, 20, 50, 100, 1000),
                List.of(new Line("append, 1 caller", BATCH, result -> Numbers.text(result.eventsPerSecond()))));
    }

    private Chart allocation() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("append 1", "append/single dataset=small callers=1");
        rows.put("append 10", BATCH.formatted(10));
        rows.put("append 100", BATCH.formatted(100));
        rows.put("append-if 1", APPEND_IF.formatted(1));
        rows.put("append 1, locked", "locks/single dataset=small callers=1");
        rows.put("enroll", ENROLL.formatted(1));
        rows.put("read 1", "read/single as=list dataset=small callers=1");
        rows.put("read 1,000", "read/batch as=list dataset=small callers=1");
        rows.put("read 1,000, streamed", "read/batch as=stream dataset=small callers=1");
        rows.put("project 100", "project/list dataset=small events=100 projections=1 callers=1");
        rows.put("project 10,000", "project/list dataset=small events=10000 projections=1 callers=1");
        rows.put("project 10,000, streamed", "project/streamed dataset=small events=10000 projections=1 callers=1");
        List<Series> series = new ArrayList<>();
        List<RowId> missing = new ArrayList<>();
        rows.forEach((name, row) -> {
            String text = measured(RowId.parse(row), result -> Numbers.text(bytesPerEvent(result)), missing);
            series.add(new Series(name, List.of(text)));
        });
        return Chart.bars(
                "Heap allocated per event",
                "Bytes that a call of one caller allocates in its JVM, divided by its events; an error is not"
                        + " estimated.",
                "call and its events",
                "B/event",
                series,
                missing);
    }

    private static double medianMillis(RowResult result) {
        return result.medianMicros() / 1_000;
    }

    private static double p99Millis(RowResult result) {
        return result.p99Micros() / 1_000;
    }

    private static double bytesPerEvent(RowResult result) {
        return result.eventsPerCall() > 0 ? result.bytesPerCall() / result.eventsPerCall() : Double.NaN;
    }

    /** A sentence with a ratio in place of its {@code %s}. */
    private record Sentence(String text, ResultFile results) {
        /**
         * Returns the sentence with the ratio of two rows' rates and, in parentheses, the ratios at the ends of both
         * error intervals, and says if those show no difference; empty unless both rows are steady and beside each
         * other.
         */
        Optional<String> ofRates(Function<RowResult, Estimate> rate, String subject, String baseline) {
            return pair(subject, baseline).map(pair -> {
                Estimate first = rate.apply(pair.subject());
                Estimate second = rate.apply(pair.baseline());
                Range range = Range.ofQuotient(first, second);
                String ratio = "%s (%s)".formatted(Numbers.text(first.value() / second.value()), range);
                String sentence = text.formatted(ratio);
                return range.contains(1) ? sentence.replaceFirst("\\.$", Numbers.NO_DIFFERENCE) : sentence;
            });
        }

        private Optional<Pair> pair(String subject, String baseline) {
            return steady(subject)
                    .flatMap(first -> steady(baseline)
                            .filter(second -> results.areBeside(first, second))
                            .map(second -> new Pair(first, second)));
        }

        private Optional<RowResult> steady(String row) {
            return results.find(RowId.parse(row)).filter(RowResult::isSteady);
        }
    }

    private record Pair(RowResult subject, RowResult baseline) {}

    private Sentence ratio(String text) {
        return new Sentence(text, results);
    }

    /**
     * Rows of the suite that differ in one number.
     *
     * @param row the rows' id, with {@code %d} in place of the number
     * @param measure the text of the value that the chart shows
     */
    private record Line(String name, String row, Measure measure) {}

    /** What a chart shows of a row. */
    private interface Measure {
        String text(RowResult result);
    }

    private static Line rate(String name, String row) {
        return new Line(name, row, result -> Numbers.text(result.callsPerSecond()));
    }

    private Chart rates(String title, String shows, String across, List<Integer> along, Line... lines) {
        return groups(title, shows, across, "calls/s", along, List.of(lines));
    }

    private Chart latency(String title, String shows, ToDoubleFunction<RowResult> millis) {
        Measure text = result -> Numbers.text(millis.applyAsDouble(result));
        List<Line> lines = List.of(
                new Line("append", APPEND, text),
                new Line("append-if", APPEND_IF, text),
                new Line("enroll, many courses", ENROLL, text));
        return groups(title, shows, ACROSS_CALLERS, "ms", CALLERS, lines);
    }

    private Chart groups(
            String title, String shows, String across, String unit, List<Integer> along, List<Line> lines) {
        Set<RowId> missing = new LinkedHashSet<>();
        List<Series> series = new ArrayList<>();
        Optional<RowResult> first = mostAreBeside(along, lines);
        for (Line line : lines) {
            List<String> values = along.stream()
                    .map(x -> RowId.parse(line.row().formatted(x)))
                    .map(row -> isOfAnotherRun(row, first) ? Numbers.OTHER_RUN : measured(row, line.measure(), missing))
                    .toList();
            series.add(new Series(line.name(), values));
        }
        return new Chart(title, shows, Kind.GROUPS, across, unit, along, series, List.copyOf(missing));
    }

    /* Bars of two runs would show the change of the machine's speed as a difference of the rows. */
    private boolean isOfAnotherRun(RowId row, Optional<RowResult> shown) {
        return results.find(row)
                .flatMap(result -> shown.map(other -> !results.areBeside(result, other)))
                .orElse(false);
    }

    /** A row of the run that measured most of the rows of a chart. */
    private Optional<RowResult> mostAreBeside(List<Integer> along, List<Line> lines) {
        List<RowResult> all = lines.stream()
                .flatMap(line -> along.stream().map(x -> RowId.parse(line.row().formatted(x))))
                .flatMap(row -> results.find(row).stream())
                .toList();
        return all.stream()
                .max(Comparator.comparingLong(one -> all.stream()
                        .filter(other -> results.areBeside(one, other))
                        .count()));
    }

    private String measured(RowId row, Measure measure, Collection<RowId> missing) {
        String text = results.find(row)
                .map(result -> result.isSteady() ? measure.text(result) : Numbers.NOT_STEADY)
                .orElse(Numbers.NOT_MEASURED);
        if (text.equals(Numbers.NOT_MEASURED)) {
            missing.add(row);
        }
        return text;
    }
}
