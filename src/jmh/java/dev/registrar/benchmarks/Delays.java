package dev.registrar.benchmarks;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

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
        Statistics delays = new ListStatistics(
                DELAYS.stream().mapToDouble(delay -> delay / 1e3).toArray());
        return delays.getN() == 0
                ? List.of()
                : List.of(figure(P50, delays.getPercentile(50)), figure(P99, delays.getPercentile(99)));
    }
}
