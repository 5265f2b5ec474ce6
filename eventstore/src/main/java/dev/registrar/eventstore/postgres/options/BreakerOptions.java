package dev.registrar.eventstore.postgres.options;

import dev.registrar.options.Bounds;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;

/**
 * The options of the circuit breaker in front of the database. A call is a read or a whole group of appends. Only
 * failures of the database as a whole count.
 *
 * @param enabled whether there is a circuit breaker
 * @param failureRate percentage of failed calls at which the circuit opens, 1 to 100
 * @param minimumCalls calls in the window below which the circuit never opens, 1 to 100,000
 * @param window time in which calls are counted, in whole seconds, 1 s to 10 min
 * @param openFor how long an open circuit rejects all calls, 1 ms to 10 min
 * @param trialCalls calls permitted after that, which decide whether the circuit closes or opens again, 1 to 1,000
 */
public record BreakerOptions(
        boolean enabled, int failureRate, int minimumCalls, Duration window, Duration openFor, int trialCalls) {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    public BreakerOptions {
        Bounds.check("store.breaker.failureRate", failureRate, 1, 100);
        Bounds.check("store.breaker.minimumCalls", minimumCalls, 1, 100_000);
        Bounds.check("store.breaker.window", window, Duration.ofSeconds(1), LONGEST);
        Bounds.check("store.breaker.openFor", openFor, Duration.ofMillis(1), LONGEST);
        Bounds.check("store.breaker.trialCalls", trialCalls, 1, 1_000);
    }

    /**
     * A circuit breaker that opens for 2 s when 50% of at least 10 calls in the last 10 s have failed; then 3 trial
     * calls.
     */
    public static BreakerOptions defaults() {
        return new BreakerOptions(true, 50, 10, Duration.ofSeconds(10), Duration.ofSeconds(2), 3);
    }

    /** The same for Resilience4j. */
    public CircuitBreakerConfig config() {
        return CircuitBreakerConfig.custom()
                .slidingWindow(Math.toIntExact(window.toSeconds()), minimumCalls, SlidingWindowType.TIME_BASED)
                .failureRateThreshold(failureRate)
                .waitDurationInOpenState(openFor)
                .permittedNumberOfCallsInHalfOpenState(trialCalls)
                // No limit: each trial call reports its result or releases its permission.
                .maxWaitDurationInHalfOpenState(Duration.ZERO)
                // Calls are rejected often during an outage.
                .writableStackTraceEnabled(false)
                .initialState(enabled ? State.CLOSED : State.DISABLED)
                .build();
    }
}
