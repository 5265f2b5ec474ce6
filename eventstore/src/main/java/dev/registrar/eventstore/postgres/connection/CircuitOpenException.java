package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.KebabCase;

/** The circuit breaker rejected a call. It has no stack trace, because it is thrown often during an outage. */
public final class CircuitOpenException extends RuntimeException {
    CircuitOpenException(CircuitBreaker.State state) {
        super("Circuit breaker %s; the server was not called".formatted(KebabCase.of(state)), null, false, false);
    }
}
