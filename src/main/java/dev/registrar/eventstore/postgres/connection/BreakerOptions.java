package dev.registrar.eventstore.postgres.connection;

import java.time.Duration;

/**
 * When a circuit breaker stops calls of a database or another server that fails. A call is a read or a whole group of
 * appends; only failures of the database as a whole count.
 *
 * @param enabled whether there is a circuit breaker
 * @param failureRate per cent of failed calls from which the circuit opens, 1 to 100
 * @param minimumCalls calls before which it never opens, 1 to 100,000
 * @param window time over which calls are counted, in whole seconds, 1 s to 10 min
 * @param openFor how long an open circuit rejects all calls, 1 ms to 10 min
 * @param trialCalls calls that are let through after that, and decide whether it closes or opens again, 1 to 1,000
 */
public record BreakerOptions(
        boolean enabled, int failureRate, int minimumCalls, Duration window, Duration openFor, int trialCalls) {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    public BreakerOptions {
        Bounds.check("breaker.failureRate", failureRate, 1, 100);
        Bounds.check("breaker.minimumCalls", minimumCalls, 1, 100_000);
        Bounds.check("breaker.window", window, Duration.ofSeconds(1), LONGEST);
        Bounds.check("breaker.openFor", openFor, Duration.ofMillis(1), LONGEST);
        Bounds.check("breaker.trialCalls", trialCalls, 1, 1_000);
    }

    /** Opens for 2 s when half of at least 10 calls of the last 10 s have failed; then 3 trial calls. */
    public static BreakerOptions defaults() {
        return new BreakerOptions(true, 50, 10, Duration.ofSeconds(10), Duration.ofSeconds(2), 3);
    }

    /** No circuit breaker. */
    public static BreakerOptions disabled() {
        BreakerOptions defaults = defaults();
        return new BreakerOptions(
                false,
                defaults.failureRate,
                defaults.minimumCalls,
                defaults.window,
                defaults.openFor,
                defaults.trialCalls);
    }
}
