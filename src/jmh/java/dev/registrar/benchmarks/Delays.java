package dev.registrar.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports percentiles of the time since a call was due, in microseconds, because JMH's own time has the wait for it.
 */
public final class Delays extends IterationProfiler {
    static final String P50 = "p50 since due";
    static final String P99 = "p99 since due";

    private static final Queue<Long> DELAYS = new ConcurrentLinkedQueue<>();

    static void add(long nanoseconds) {
        DELAYS.add(nanoseconds);
    }

    @Override
    void begin(long microseconds) {
        DELAYS.clear();
    }

    @Override
    List<ScalarResult> end(long calls, long microseconds) {
        long[] sorted = DELAYS.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? List.of() : List.of(percentile(P50, sorted, 0.5), percentile(P99, sorted, 0.99));
    }

    private static ScalarResult percentile(String name, long[] sorted, double share) {
        double nanoseconds = sorted[(int) Math.ceil(share * sorted.length) - 1];
        return figure(name, nanoseconds / 1_000);
    }
}
