package dev.registrar.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The pauses between attempts: each is a multiple of the one before, up to a bound. A random part keeps callers that
 * failed together from trying again together.
 *
 * @param first pause, after one failure; above zero
 * @param multiplier by which the pause grows with each further failure; at least 1
 * @param jitter by which the first pause varies; a later pause varies in proportion. Zero for none
 * @param longest pause; above zero
 */
public record BackOff(Duration first, double multiplier, Duration jitter, Duration longest) {

    public BackOff {
        if (!first.isPositive() || !(multiplier >= 1) || jitter.isNegative() || !longest.isPositive()) {
            throw new IllegalArgumentException(
                    "A back-off has pauses above zero, a multiplier of at least 1 and a jitter of at least zero, but had %s to %s, %s and %s"
                            .formatted(first, longest, multiplier, jitter));
        }
    }

    /** Pauses that double up to a bound, without jitter. */
    public static BackOff doubling(Duration first, Duration longest) {
        return new BackOff(first, 2, Duration.ZERO, longest);
    }

    /**
     * The pause after some failures in a row. It is never shorter than the first pause without its jitter, nor longer
     * than the longest.
     *
     * @param failures at least 1
     */
    public Duration after(int failures) {
        return after(failures, ThreadLocalRandom.current());
    }

    /** The same with another source of randomness. */
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
     * A random part of the pause after some failures in a row, between zero and all of it: for callers that compete for
     * one thing.
     *
     * @param failures at least 1
     */
    public Duration randomPartAfter(int failures) {
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(1 + after(failures).toNanos()));
    }

    private double growth(int failures) {
        if (failures < 1) {
            throw new IllegalArgumentException("A pause follows at least 1 failure but was to follow " + failures);
        }
        return Math.pow(multiplier, failures - 1);
    }

    private double bounded(double nanoseconds) {
        return Math.min(nanoseconds, (double) longest.toNanos());
    }
}
