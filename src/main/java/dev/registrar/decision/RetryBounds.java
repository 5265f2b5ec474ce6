package dev.registrar.decision;

import dev.registrar.concurrent.BackOff;
import java.time.Duration;

/**
 * The bounds of the attempts of a decision that conflicts with other appends.
 *
 * @param deadline from the first attempt on, more than zero: no attempt begins after it, the last may end later
 * @param attempts 1 or more
 * @param shortestPause before the second attempt, at most: a random part of it is taken
 * @param longestPause to which the pause doubles from attempt to attempt
 */
public record RetryBounds(Duration deadline, int attempts, Duration shortestPause, Duration longestPause) {
    /** 5 s and 1,000 attempts, with pauses of up to 1 ms that grow to up to 20 ms. */
    public static final RetryBounds DEFAULT =
            new RetryBounds(Duration.ofSeconds(5), 1_000, Duration.ofMillis(1), Duration.ofMillis(20));

    public RetryBounds {
        if (!deadline.isPositive()
                || attempts < 1
                || !shortestPause.isPositive()
                || longestPause.compareTo(shortestPause) < 0) {
            throw new IllegalArgumentException(
                    "A retry has a deadline above zero, 1 attempt or more, and pauses above zero that do not shrink, but were %s, %d, %s and %s"
                            .formatted(deadline, attempts, shortestPause, longestPause));
        }
    }

    /** The pauses between attempts, of which a random part is taken. */
    BackOff pauses() {
        return BackOff.doubling(shortestPause, longestPause);
    }
}
