package dev.registrar.eventstore.postgres.connection;

import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.MeterRegistry;

/** Resilience4j's own meters, whose names start with {@code resilience4j.circuitbreaker}. */
final class CircuitBreakerMeters {

    private CircuitBreakerMeters() {}

    static void bind(Resilience4jCircuitBreaker breaker, Object registry) {
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breaker.registry()).bindTo((MeterRegistry) registry);
    }
}
