package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.CheckOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of checking conditions that take a longer look than a group of appends can wait for.
 *
 * @param atOnce checks at a time, each on one of the connections for reads
 * @param maxWaiting requests that wait for their check; one more is refused as overload
 * @param maxWait how long a request waits for its check
 * @param timeout how long one check may run
 * @param maxChecks checks of one request: each later one looks only at what came since the one before
 */
record CheckSettings(
        @DefaultValue("2") int atOnce,
        @DefaultValue("1000") int maxWaiting,
        @DefaultValue("10s") Duration maxWait,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("8") int maxChecks) {

    CheckOptions options() {
        return new CheckOptions(atOnce, maxWaiting, maxWait, timeout, maxChecks);
    }
}
