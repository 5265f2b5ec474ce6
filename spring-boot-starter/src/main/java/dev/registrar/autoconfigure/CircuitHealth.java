package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports the circuit breaker: up if the circuit is closed, down while it passes no calls or only trial calls. Each
 * check calls the database, so that the circuit also closes without other calls.
 */
final class CircuitHealth extends AbstractHealthIndicator {
    private final PostgresEventStore store;

    CircuitHealth(PostgresEventStore store) {
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        store.tryAgain();
        CircuitBreaker breaker = store.breaker();
        boolean passes = switch (breaker.getState()) {
            case CLOSED, DISABLED, METRICS_ONLY -> true;
            case OPEN, FORCED_OPEN, HALF_OPEN -> false;
        };
        health.status(passes ? "UP" : "DOWN")
                .withDetail("circuit", breaker.getState())
                .withDetail("failedCalls", breaker.getMetrics().getNumberOfFailedCalls())
                .withDetail("calls", breaker.getMetrics().getNumberOfBufferedCalls());
    }
}
