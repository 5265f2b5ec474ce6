package dev.registrar.benchmarks.report;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a row. Latencies and bytes are NaN if they were not measured.
 *
 * @param row the group and the name
 * @param parameters the parameters without the callers
 * @param callers the number of concurrent callers
 * @param eventsPerCall the mean number of events that a call appends or returns
 * @param callsPerSecond the rate of all callers together
 * @param bytesPerCall the bytes that a call allocates on the heap of the caller's JVM
 */
public record RowResult(
        String row,
        SortedMap<String, String> parameters,
        int callers,
        double eventsPerCall,
        Estimate callsPerSecond,
        double medianMicros,
        double p99Micros,
        double p999Micros,
        double bytesPerCall) {
    public RowResult {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    public RowId id() {
        return new RowId(row, parameters, callers);
    }

    /** Returns the events that are appended or returned per second. */
    Estimate eventsPerSecond() {
        return callsPerSecond.times(eventsPerCall);
    }

    /** Returns the mean time of a call per event that it appends or returns; infinite without events. */
    double microsPerEvent() {
        return callers * 1_000_000.0 / (callsPerSecond.value() * eventsPerCall);
    }
}
