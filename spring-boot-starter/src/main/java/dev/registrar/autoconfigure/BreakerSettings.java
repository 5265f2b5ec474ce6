package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.BreakerOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When the circuit breaker stops calls of a database that fails. A call is a read or a whole group of appends; only
 * failures of the database as a whole count.
 *
 * @param enabled whether there is a circuit breaker in front of the database
 * @param failureRate the percentage of failed calls at which the circuit opens
 * @param minimumCalls calls within the window below which the circuit never opens
 * @param window the time over which calls are counted, in whole seconds
 * @param openFor how long an open circuit rejects all calls
 * @param trialCalls calls that are permitted after that; their outcomes decide whether the circuit closes or opens
 *     again
 */
record BreakerSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("50") int failureRate,
        @DefaultValue("10") int minimumCalls,
        @DefaultValue("10s") Duration window,
        @DefaultValue("2s") Duration openFor,
        @DefaultValue("3") int trialCalls) {

    BreakerOptions options() {
        return new BreakerOptions(enabled, failureRate, minimumCalls, window, openFor, trialCalls);
    }
}
