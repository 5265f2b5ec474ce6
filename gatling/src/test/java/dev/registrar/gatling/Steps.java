package dev.registrar.gatling;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The steps of the {@link Profile#CAPACITY} profile, and which of them held. */
final class Steps {
    /** Users a second, each step half as many more. */
    static final List<Integer> RATES =
            Stream.iterate(100, rate -> rate < 30_000, rate -> rate * 3 / 2).toList();

    static final Duration LASTS = Duration.ofSeconds(5);
    /** A step holds if nothing fails, nearly all have been answered when the next begins, and these are kept. */
    private static final Duration BOUND_OF_95 = Duration.ofMillis(50);

    private static final Duration BOUND_OF_99 = Duration.ofMillis(100);
    private static final double NEARLY_ALL = 0.95;

    private final Map<Integer, Step> steps = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> verdicts = new ConcurrentHashMap<>();
    private volatile long started;

    /** What a step's users met. */
    private static final class Step {
        final LongAdder begun = new LongAdder();
        final Queue<Long> nanoseconds = new ConcurrentLinkedQueue<>();
        volatile boolean failed;

        long percentile(double part) {
            long[] sorted =
                    nanoseconds.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * part)];
        }

        boolean holds() {
            return !failed
                    && nanoseconds.size() >= NEARLY_ALL * begun.sum()
                    && percentile(0.95) <= BOUND_OF_95.toNanos()
                    && percentile(0.99) <= BOUND_OF_99.toNanos();
        }
    }

    /** Which step it is now. */
    int current() {
        if (started == 0) {
            started = System.nanoTime();
        }
        return Math.min((int) ((System.nanoTime() - started) / LASTS.toNanos()), RATES.size() - 1);
    }

    /** Whether a user of this step is to begin: not after a step that did not hold, which is judged once. */
    boolean begins(int number) {
        if (number > 0 && !verdicts.computeIfAbsent(number - 1, this::judge)) {
            verdicts.putIfAbsent(number, false);
            return false;
        }
        steps.computeIfAbsent(number, added -> new Step()).begun.increment();
        return true;
    }

    void count(int number, long nanoseconds, boolean failed) {
        Step step = steps.computeIfAbsent(number, added -> new Step());
        step.nanoseconds.add(nanoseconds);
        if (failed) {
            step.failed = true;
        }
    }

    private boolean judge(int number) {
        Step step = steps.get(number);
        return step != null && step.holds();
    }

    /** Users a second in the last step before the first that did not hold. */
    Optional<Integer> lastThatHeld() {
        int held = 0;
        while (held < RATES.size() && verdicts.computeIfAbsent(held, this::judge)) {
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
                                steps.get(number).percentile(0.99) / 1e6,
                                verdicts.computeIfAbsent(number, this::judge) ? "" : ", too much")));
        return report.toString();
    }
}
