package dev.registrar.gatling;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** The steps of the {@link Profile#CAPACITY} profile, and which of them held. */
final class Steps {
    /** Users a second, each step half as many more. */
    static final List<Integer> RATES =
            Stream.iterate(100, rate -> rate < 30_000, rate -> rate * 3 / 2).toList();

    static final Duration LASTS = Duration.ofSeconds(5);
    /** A step holds if it has no failures and its 99th percentile is not above this. */
    private static final Duration BOUND = Duration.ofMillis(100);

    private final Map<Integer, Step> steps = new ConcurrentHashMap<>();
    private volatile long started;

    /** What a step's users met. */
    private static final class Step {
        final Queue<Long> nanoseconds = new ConcurrentLinkedQueue<>();
        volatile boolean failed;

        long percentile99() {
            long[] sorted =
                    nanoseconds.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * 0.99)];
        }

        boolean held() {
            return !failed && percentile99() <= BOUND.toNanos();
        }
    }

    /** Which step it is now. */
    int current() {
        if (started == 0) {
            started = System.nanoTime();
        }
        return Math.min((int) ((System.nanoTime() - started) / LASTS.toNanos()), RATES.size() - 1);
    }

    void count(int step, long nanoseconds, boolean failed) {
        Step counted = steps.computeIfAbsent(step, number -> new Step());
        counted.nanoseconds.add(nanoseconds);
        if (failed) {
            counted.failed = true;
        }
    }

    /** Whether the step before this one did not hold. */
    boolean brokeBefore(int step) {
        Step before = steps.get(step - 1);
        return before != null && !before.held();
    }

    /** Users a second in the last step before the first that did not hold. */
    Optional<Integer> lastThatHeld() {
        int held = 0;
        while (held < RATES.size() && steps.containsKey(held) && steps.get(held).held()) {
            held++;
        }
        return held == 0 ? Optional.empty() : Optional.of(RATES.get(held - 1));
    }

    String report() {
        StringBuilder report = new StringBuilder();
        steps.keySet().stream()
                .sorted()
                .forEach(number -> report.append("  %,7d users a second: p99 %.1f ms%s%n"
                        .formatted(
                                RATES.get(number),
                                steps.get(number).percentile99() / 1e6,
                                steps.get(number).held() ? "" : ", too much")));
        return report.toString();
    }
}
