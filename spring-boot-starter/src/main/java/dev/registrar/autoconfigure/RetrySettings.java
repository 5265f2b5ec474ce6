package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.RetryOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How calls that failed for a passing reason are repeated, where that is safe.
 *
 * @param maxRetries the most repetitions of a failed call; 0 for none
 * @param delay the delay before the first repetition
 * @param multiplier the factor by which the delay grows with each repetition
 * @param jitter the most that is added to the first delay at random; later delays vary in proportion but are never
 *     shorter than the first: with the defaults 50 to 75, 75 to 225 and 225 to 675 ms
 * @param maxDelay the longest delay
 */
record RetrySettings(
        @DefaultValue("3") int maxRetries,
        @DefaultValue("50ms") Duration delay,
        @DefaultValue("3") double multiplier,
        @DefaultValue("25ms") Duration jitter,
        @DefaultValue("1s") Duration maxDelay) {

    RetryOptions options() {
        return new RetryOptions(maxRetries, delay, multiplier, jitter, maxDelay);
    }
}
