package dev.registrar.eventstore.postgres.options;

import dev.registrar.concurrent.BackOff;
import dev.registrar.options.Bounds;
import java.time.Duration;

/**
 * The retries of calls after transient failures, where a repetition is safe.
 *
 * @param maxRetries attempts after the first one, 0 to 100
 * @param delay the pause before the second attempt, 1 ms to 1 min
 * @param multiplier the factor by which the delay grows from attempt to attempt, 1 to 10
 * @param jitter how far the first delay may vary, 0 to 1 min; see {@link BackOff}
 * @param maxDelay the upper bound of the delay, 1 ms to 10 min
 */
public record RetryOptions(int maxRetries, Duration delay, double multiplier, Duration jitter, Duration maxDelay) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    public RetryOptions {
        Bounds.check("store.retry.maxRetries", maxRetries, 0, 100);
        Bounds.check("store.retry.delay", delay, MILLISECOND, MINUTE);
        Bounds.check("store.retry.multiplier", multiplier, 1.0, 10.0);
        Bounds.check("store.retry.jitter", jitter, Duration.ZERO, MINUTE);
        Bounds.check("store.retry.maxDelay", maxDelay, MILLISECOND, Duration.ofMinutes(10));
    }

    /** Up to 3 retries, after 50 to 75 ms, 75 to 225 ms and 225 to 675 ms. */
    public static RetryOptions defaults() {
        return new RetryOptions(3, Duration.ofMillis(50), 3, Duration.ofMillis(25), Duration.ofSeconds(1));
    }

    /** The pauses before the retries. */
    public BackOff backOff() {
        return new BackOff(delay, multiplier, jitter, maxDelay);
    }
}
