package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.report.RowId;
import dev.registrar.eventstore.KebabCase;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One benchmark with its parameters: what a run measures, and what it means.
 *
 * @param shown parameters that tell this row from others of its name
 * @param settled parameters that the name says already
 * @param callers that call at a time, each as soon as it was answered
 * @param eventsPerCall events that a call appends or returns, on average
 * @param callsPerOperation calls that one invocation of the benchmark makes
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
        int callsPerOperation) {
    private static final String DATA_SET = "dataset";

    /** One caller on the small data set, and one event a call. */
    static Row of(String name, Class<?> benchmark, String method) {
        return new Row(name, benchmark, method, Template.SMALL, Map.of(), Map.of(), 1, 1, 1);
    }

    Row on(Template other) {
        return new Row(name, benchmark, method, other, shown, settled, callers, eventsPerCall, callsPerOperation);
    }

    Row with(String parameter, Object value) {
        return new Row(
                name,
                benchmark,
                method,
                template,
                more(shown, parameter, value),
                settled,
                callers,
                eventsPerCall,
                callsPerOperation);
    }

    Row settling(String parameter, Object value) {
        return new Row(
                name,
                benchmark,
                method,
                template,
                shown,
                more(settled, parameter, value),
                callers,
                eventsPerCall,
                callsPerOperation);
    }

    Row by(int others) {
        return new Row(name, benchmark, method, template, shown, settled, others, eventsPerCall, callsPerOperation);
    }

    Row events(double perCall) {
        return new Row(name, benchmark, method, template, shown, settled, callers, perCall, callsPerOperation);
    }

    Row callsPerOperation(int calls) {
        return new Row(name, benchmark, method, template, shown, settled, callers, eventsPerCall, calls);
    }

    /** The parameters of the benchmark, by the names of its fields. */
    Map<String, String> parameters() {
        SortedMap<String, String> all = new TreeMap<>(shown);
        all.putAll(settled);
        return all;
    }

    /** The callers that JMH runs: where an operation is a whole batch of calls, it brings its own. */
    int threads() {
        return callsPerOperation == 1 ? callers : 1;
    }

    /** With the data set among the parameters, where it is one of those that others publish. */
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
