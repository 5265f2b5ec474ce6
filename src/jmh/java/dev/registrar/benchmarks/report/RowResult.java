package dev.registrar.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
 * @param attempts how often the row was measured, at least 1: each attempt after the first took twice as long as the
 *     one before, because that was not steady; the result is the last attempt's
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
        double bytesPerCall,
        int attempts) {
    public RowResult {
        if (attempts < 1) {
            throw new IllegalArgumentException(
                    "A row is measured at least once but %s was %s times".formatted(row, attempts));
        }
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    public RowId id() {
        return new RowId(row, parameters, callers);
    }

    /** Returns why the result is not steady, and so is no figure; empty if it is. The file of results has it, too. */
    @JsonProperty(value = "unsteady", access = JsonProperty.Access.READ_ONLY)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public String unsteady() {
        return Steadiness.objection(callsPerSecond).orElse("");
    }

    boolean isSteady() {
        return unsteady().isEmpty();
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
