package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.metrics.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the circuit breaker that the class path allows. */
final class CircuitBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreakers.class);

    private CircuitBreakers() {}

    /**
     * Makes a circuit breaker. It needs {@code io.github.resilience4j:resilience4j-circuitbreaker}, and
     * {@code resilience4j-micrometer} for its meters. Without the first, there is none, and the log says so.
     */
    static CircuitBreaker of(String name, BreakerOptions options, Metrics metrics) {
        if (isPresent("io.github.resilience4j.circuitbreaker.CircuitBreaker")) {
            Resilience4jCircuitBreaker breaker = new Resilience4jCircuitBreaker(name, options);
            if (isPresent("io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics")) {
                metrics.registry().ifPresent(registry -> CircuitBreakerMeters.bind(breaker, registry));
            }
            return breaker;
        }
        if (options.enabled()) {
            LOG.info("There is no circuit breaker '{}': resilience4j-circuitbreaker is not on the class path", name);
        }
        return NoCircuitBreaker.INSTANCE;
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, CircuitBreakers.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
