package dev.registrar.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Exponential back-off: each pause between attempts is a multiple of the pause before, up to a bound. Jitter keeps
 * callers that failed together from retrying together.
 *
 * @param first the pause after one failure; above zero
 * @param multiplier the factor by which the pause grows with each further failure; at least 1
 * @param jitter how far the first pause may vary in either direction; later pauses vary in proportion; zero for none
 * @param longest the upper bound of a pause; above zero
 */
public record BackOff(Duration first, double multiplier, Duration jitter, Duration longest) {
    private static final int MOST_RETRIES = 100;

    public BackOff {
        if (!first.isPositive() || !(multiplier >= 1) || jitter.isNegative() || !longest.isPositive()) {
            throw new IllegalArgumentException(
                    "A back-off must have a first and a longest pause above zero, a multiplier of at least 1 and a jitter of at least zero, but has %s, %s, %s and %s"
                            .formatted(first, longest, multiplier, jitter));
        }
    }

    /** A back-off whose pauses double up to a bound, without jitter. */
    public static BackOff doubling(Duration first, Duration longest) {
        return new BackOff(first, 2, Duration.ZERO, longest);
    }

    /**
     * The pause after a number of consecutive failures. It is at least the first pause without jitter and at most the
     * longest pause.
     *
     * @param failures the number of failures, at least 1
     */
    public Duration after(int failures) {
        return after(failures, ThreadLocalRandom.current());
    }

    /** The same pause, with a given source of randomness. */
    Duration after(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("The number of failures must be at least 1 but is " + failures);
        }
        double pause = bounded(first.toNanos() * Math.pow(multiplier, failures - 1));
        double variation = jitter.toNanos() * (pause / first.toNanos());
        double least = bounded(Math.max(pause - variation, (double) first.toNanos()));
        double most = bounded(pause + variation);
        return Duration.ofNanos((long) (least + random.nextDouble() * (most - least)));
    }

    private double bounded(double nanoseconds) {
        return Math.min(nanoseconds, (double) longest.toNanos());
    }

    /**
     * Repeats a call after failures until it succeeds, with a pause before each repetition. Repeat only idempotent
     * calls. A call is not repeated if the caller's {@link Deadline} would pass during the pause, or if the caller was
     * interrupted. A circuit breaker belongs within the call, so that it sees each attempt.
     *
     * @param maxRetries the number of attempts after the first one, 0 to 100
     * @param repeats whether a call with this failure may be repeated
     * @throws X the last failure
     */
    public <T extends @Nullable Object, X extends Exception> T retry(
            int maxRetries, Predicate<? super Exception> repeats, Deadline.Work<T, X> call) throws X {
        if (maxRetries < 0 || maxRetries > MOST_RETRIES) {
            throw new IllegalArgumentException(
                    "maxRetries must be 0 to %s but is %s".formatted(MOST_RETRIES, maxRetries));
        }
        for (int failures = 1; ; failures++) {
            try {
                return call.run();
            } catch (Exception failure) {
                if (failures > maxRetries || !repeats.test(failure) || !paused(after(failures))) {
                    throw failure;
                }
            }
        }
    }

    /* False if the deadline would pass during the pause, or if interrupted; the interrupt flag stays set. */
    private static boolean paused(Duration pause) {
        if (Deadline.left(pause).compareTo(pause) < 0) {
            return false;
        }
        try {
            // A plain sleep: there is no condition to wait for, and an interrupt ends it.
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
