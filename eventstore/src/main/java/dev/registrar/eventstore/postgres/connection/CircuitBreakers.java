package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.metrics.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates a circuit breaker with Resilience4j if it is on the class path. */
final class CircuitBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreakers.class);

    private CircuitBreakers() {}

    /** Creates a circuit breaker; see {@link CircuitBreaker#of}. */
    static CircuitBreaker of(String name, BreakerOptions options, Metrics metrics) {
        if (isPresent("io.github.resilience4j.circuitbreaker.CircuitBreaker")) {
            Resilience4jCircuitBreaker breaker = new Resilience4jCircuitBreaker(name, options);
            if (isPresent("io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics")) {
                metrics.registry().ifPresent(registry -> CircuitBreakerMeters.bind(breaker, registry));
            }
            return breaker;
        }
        if (options.enabled()) {
            LOG.info("No circuit breaker '{}': resilience4j-circuitbreaker is not on the class path", name);
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
