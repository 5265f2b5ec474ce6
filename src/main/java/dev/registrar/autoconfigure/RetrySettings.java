package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.RetryOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How what failed in passing is tried again, where that is safe.
 *
 * @param maxRetries after the first try; 0 for none
 * @param delay before the second try
 * @param multiplier by which the delay grows from try to try
 * @param jitter up to which the first delay is randomly longer; a later one is longer or shorter, in proportion to it,
 *     but never shorter than the first: with the defaults 50 to 75, 75 to 225 and 225 to 675 ms
 * @param maxDelay to which it grows
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
