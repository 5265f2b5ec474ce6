package dev.registrar.eventstore.postgres.connection;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The circuit breaker of Resilience4j. */
final class Resilience4jCircuitBreaker implements CircuitBreaker {
    private final CircuitBreakerRegistry registry;
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker breaker;

    Resilience4jCircuitBreaker(String name, BreakerOptions options) {
        this.registry = CircuitBreakerRegistry.of(config(options));
        this.breaker = registry.circuitBreaker(name);
    }

    private static CircuitBreakerConfig config(BreakerOptions options) {
        return CircuitBreakerConfig.custom()
                .slidingWindow(
                        Math.toIntExact(options.window().toSeconds()),
                        options.minimumCalls(),
                        SlidingWindowType.TIME_BASED)
                .failureRateThreshold(options.failureRate())
                .waitDurationInOpenState(options.openFor())
                .permittedNumberOfCallsInHalfOpenState(options.trialCalls())
                // No limit: each trial call reports its result or releases its permission.
                .maxWaitDurationInHalfOpenState(Duration.ZERO)
                .initialState(
                        options.enabled()
                                ? io.github.resilience4j.circuitbreaker.CircuitBreaker.State.CLOSED
                                : io.github.resilience4j.circuitbreaker.CircuitBreaker.State.DISABLED)
                .build();
    }

    CircuitBreakerRegistry registry() {
        return registry;
    }

    /** Resilience4j's circuit breaker. */
    io.github.resilience4j.circuitbreaker.CircuitBreaker delegate() {
        return breaker;
    }

    @Override
    public State state() {
        return switch (breaker.getState()) {
            case CLOSED -> State.CLOSED;
            case OPEN, FORCED_OPEN -> State.OPEN;
            case HALF_OPEN -> State.HALF_OPEN;
            case DISABLED, METRICS_ONLY -> State.DISABLED;
        };
    }

    @Override
    public int calls() {
        return breaker.getMetrics().getNumberOfBufferedCalls();
    }

    @Override
    public int failedCalls() {
        return breaker.getMetrics().getNumberOfFailedCalls();
    }

    @Override
    public boolean tryAcquire() {
        return breaker.tryAcquirePermission();
    }

    @Override
    public void release() {
        breaker.releasePermission();
    }

    @Override
    public void succeeded(long nanoseconds) {
        breaker.onSuccess(nanoseconds, TimeUnit.NANOSECONDS);
    }

    @Override
    public void failed(long nanoseconds, Exception failure) {
        breaker.onError(nanoseconds, TimeUnit.NANOSECONDS, failure);
    }
}
