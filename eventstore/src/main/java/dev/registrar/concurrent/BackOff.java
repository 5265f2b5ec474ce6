package dev.registrar.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

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
        double pause = bounded(first.toNanos() * growth(failures));
        if (jitter.isZero()) {
            return Duration.ofNanos((long) pause);
        }
        double variation = jitter.toNanos() * (pause / first.toNanos());
        double least = bounded(Math.max(pause - variation, (double) first.toNanos()));
        double most = bounded(pause + variation);
        return Duration.ofNanos((long) (least + random.nextDouble() * (most - least)));
    }

    /**
     * A random duration between zero and the pause after a number of consecutive failures ("full jitter"), for callers
     * that compete for the same resource.
     *
     * @param failures the number of failures, at least 1
     */
    public Duration randomPartAfter(int failures) {
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(1 + after(failures).toNanos()));
    }

    private double growth(int failures) {
        if (failures < 1) {
            throw new IllegalArgumentException("The number of failures must be at least 1 but is " + failures);
        }
        return Math.pow(multiplier, failures - 1);
    }

    private double bounded(double nanoseconds) {
        return Math.min(nanoseconds, (double) longest.toNanos());
    }
}
