package dev.registrar.eventstore.postgres.connection;

/** The circuit breaker did not let a call through. */
final class CircuitOpenException extends RuntimeException {
    CircuitOpenException(CircuitBreaker.State state) {
        super("The circuit is " + state, null, false, false);
    }
}
