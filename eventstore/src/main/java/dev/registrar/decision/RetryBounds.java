package dev.registrar.decision;

import dev.registrar.concurrent.BackOff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The bounds for retries of a decision that conflicts with other appends.
 *
 * @param deadline the time from the start of the first attempt after which no attempt starts, above zero; the last
 *     attempt may end later
 * @param attempts the maximum number of attempts, 1 or more
 * @param shortestPause the upper bound of the pause before the second attempt; the actual pause is a random part of it
 * @param longestPause the bound up to which the pause doubles from attempt to attempt
 */
public record RetryBounds(Duration deadline, int attempts, Duration shortestPause, Duration longestPause) {
    /** 5 s and 1,000 attempts, with pauses of up to 1 ms at first and up to 20 ms later. */
    public static final RetryBounds DEFAULT =
            new RetryBounds(Duration.ofSeconds(5), 1_000, Duration.ofMillis(1), Duration.ofMillis(20));

    public RetryBounds {
        if (!deadline.isPositive()
                || attempts < 1
                || !shortestPause.isPositive()
                || longestPause.compareTo(shortestPause) < 0) {
            throw new IllegalArgumentException(
                    "A retry must have a deadline above zero, 1 attempt or more, and pauses above zero that do not shrink, but has %s, %s, %s and %s"
                            .formatted(deadline, attempts, shortestPause, longestPause));
        }
    }

    /** A random part of a growing pause ("full jitter"), for callers that compete for the same items. */
    Duration pauseAfter(int failures) {
        Duration longest = BackOff.doubling(shortestPause, longestPause).after(failures);
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(1 + longest.toNanos()));
    }
}
