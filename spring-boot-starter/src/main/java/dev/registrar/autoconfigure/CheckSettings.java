package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.CheckOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of checking conditions that take longer than a group of appends can wait for.
 *
 * @param atOnce checks of expensive conditions at a time, each on one of the connections for reads
 * @param maxWait how long a request waits for its check; then it is rejected as overload
 * @param maxWaiting requests that may wait for their check; further requests are rejected as overload
 * @param timeout how long one check may run
 * @param maxChecks checks of one request; each later check looks only at events since the one before
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
