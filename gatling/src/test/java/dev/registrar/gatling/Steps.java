package dev.registrar.gatling;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The steps of the {@link Profile#CAPACITY} profile, and whether each held. */
final class Steps {
    /** Users per second; each step has half as many more. */
    static final List<Integer> RATES =
            Stream.iterate(100, rate -> rate < 30_000, rate -> rate * 3 / 2).toList();

    static final Duration LASTS = Duration.ofSeconds(5);
    /**
     * A step holds if nothing fails, nearly all users have ended when the next step begins, and both bounds are kept.
     */
    private static final Duration BOUND_OF_95 = Duration.ofMillis(50);

    private static final Duration BOUND_OF_99 = Duration.ofMillis(100);
    private static final double NEARLY_ALL = 0.95;

    private final Map<Integer, Step> steps = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> held = new ConcurrentHashMap<>();
    private volatile long started;

    /** The results of a step's users. */
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

    /** The number of the current step. */
    int current() {
        if (started == 0) {
            started = System.nanoTime();
        }
        return Math.min((int) ((System.nanoTime() - started) / LASTS.toNanos()), RATES.size() - 1);
    }

    /** Whether a user of this step begins: not after a step that did not hold. Each step is judged once. */
    boolean begins(int number) {
        if (number > 0 && !held.computeIfAbsent(number - 1, this::judge)) {
            held.putIfAbsent(number, false);
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

    /** Users per second in the last step before the first that did not hold. */
    Optional<Integer> lastThatHeld() {
        int step = 0;
        while (step < RATES.size() && held.computeIfAbsent(step, this::judge)) {
            step++;
        }
        return step == 0 ? Optional.empty() : Optional.of(RATES.get(step - 1));
    }

    String report() {
        StringBuilder report = new StringBuilder();
        steps.keySet().stream()
                .sorted()
                .forEach(number -> report.append(String.format(
                        Locale.ROOT,
                        "  %,7d users per second: p99 %.1f ms%s%n",
                        RATES.get(number),
                        steps.get(number).percentile(0.99) / 1e6,
                        held.computeIfAbsent(number, this::judge) ? "" : ", did not hold")));
        return report.toString();
    }
}
