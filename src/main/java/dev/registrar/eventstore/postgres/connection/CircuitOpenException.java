package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.KebabCase;

/**
 * The circuit breaker did not let a call through. It has no stack trace, since it is thrown often while a server is
 * away.
 */
public final class CircuitOpenException extends RuntimeException {
    CircuitOpenException(CircuitBreaker.State state) {
        super("Circuit breaker %s; the call was not made".formatted(KebabCase.of(state)), null, false, false);
    }
}
