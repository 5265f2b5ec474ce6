package dev.registrar.benchmarks.report;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was measured of a row. Latencies and bytes are NaN where they were not measured.
 *
 * @param row group and name
 * @param parameters besides the callers
 * @param callers at a time
 * @param eventsPerCall events that a call appends or returns, on average
 * @param callsPerSecond of all callers together
 * @param bytesPerCall that a call allocates on the heap of this side
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

    /** Events that are appended or returned per second. */
    Estimate eventsPerSecond() {
        return callsPerSecond.times(eventsPerCall);
    }

    /** How long a call takes for each event that it appends or returns, on average; infinite for none. */
    double microsPerEvent() {
        return callers * 1_000_000.0 / (callsPerSecond.value() * eventsPerCall);
    }
}
