package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether the circuit to the database is closed; down while nobody or only a few are let through. Asking tries
 * the database again, so that the circuit closes even if this is all that anybody asks.
 */
public final class CircuitHealth extends AbstractHealthIndicator {
    private final PostgresEventStore store;

    public CircuitHealth(PostgresEventStore store) {
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
