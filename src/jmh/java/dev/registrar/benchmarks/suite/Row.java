package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.report.RowId;
import dev.registrar.eventstore.KebabCase;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;

/**
 * A benchmark with its parameters.
 *
 * @param shown parameters that distinguish the row from others of the same name
 * @param settled parameters that the name implies
 * @param callers concurrent callers, each of which calls again as soon as a call returns
 * @param eventsPerCall events that a call appends or returns, on average
 * @param callsPerOperation calls that one invocation of the benchmark makes
 * @param length the duration of its measurement
 */
record Row(
        String name,
        Class<?> benchmark,
        String method,
        Template template,
        Map<String, String> shown,
        Map<String, String> settled,
        int callers,
        double eventsPerCall,
        int callsPerOperation,
        Length length) {
    private static final String DATA_SET = "dataset";

    /** Returns a row with one caller on the small data set and one event per call. */
    static Row of(String name, Class<?> benchmark, String method) {
        return new Row(name, benchmark, method, Template.SMALL, Map.of(), Map.of(), 1, 1, 1, Length.USUAL);
    }

    Row on(Template other) {
        return changed(other, shown, settled, callers, eventsPerCall, callsPerOperation, length);
    }

    Row with(String parameter, Object value) {
        return changed(
                template, more(shown, parameter, value), settled, callers, eventsPerCall, callsPerOperation, length);
    }

    Row settling(String parameter, Object value) {
        return changed(
                template, shown, more(settled, parameter, value), callers, eventsPerCall, callsPerOperation, length);
    }

    Row by(int others) {
        return changed(template, shown, settled, others, eventsPerCall, callsPerOperation, length);
    }

    Row events(double perCall) {
        return changed(template, shown, settled, callers, perCall, callsPerOperation, length);
    }

    Row callsPerOperation(int calls) {
        return changed(template, shown, settled, callers, eventsPerCall, calls, length);
    }

    Row lasting(Length other) {
        return changed(template, shown, settled, callers, eventsPerCall, callsPerOperation, other);
    }

    private Row changed(
            Template onTemplate,
            Map<String, String> nowShown,
            Map<String, String> nowSettled,
            int byCallers,
            double perCall,
            int perOperation,
            Length lasting) {
        return new Row(
                name, benchmark, method, onTemplate, nowShown, nowSettled, byCallers, perCall, perOperation, lasting);
    }

    /** Returns whether the row runs only when it is named. */
    boolean onRequest() {
        return length == Length.TEN_MINUTES;
    }

    /**
     * Returns the kind of JMH's threads. A row on request queries the database between two iterations. JMH's other
     * threads then wait without leaving their processors, so that a query on a virtual thread never continues.
     */
    String executor() {
        return onRequest() ? "PLATFORM" : "VIRTUAL";
    }

    /**
     * Returns what JMH measures. JMH keeps the sampled times of every iteration in the measured process until the last
     * one ends, which would hide a leak of the store, so a row on request has mean times only.
     */
    Mode mode() {
        return onRequest() ? Mode.AverageTime : Mode.SampleTime;
    }

    /** Returns whether the sampled times are those of single calls. */
    boolean samplesCalls() {
        return mode() == Mode.SampleTime && callsPerOperation == 1;
    }

    /** Returns the parameters of the benchmark, by the names of its fields. */
    Map<String, String> parameters() {
        SortedMap<String, String> all = new TreeMap<>(shown);
        all.putAll(settled);
        return all;
    }

    /** Returns the callers that JMH runs: one if an operation is a batch of calls with its own callers. */
    int threads() {
        return callsPerOperation == 1 ? callers : 1;
    }

    /** Returns the id, with the data set among the parameters if published rows use it. */
    RowId id() {
        SortedMap<String, String> all = new TreeMap<>(shown);
        if (SuiteSettings.DATA_SETS.contains(template)) {
            all.put(DATA_SET, KebabCase.of(template));
        }
        return new RowId(name, all, callers);
    }

    private static Map<String, String> more(Map<String, String> parameters, String name, Object value) {
        SortedMap<String, String> more = new TreeMap<>(parameters);
        more.put(name, value.toString());
        return Collections.unmodifiableSortedMap(more);
    }
}
