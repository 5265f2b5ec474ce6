package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * It is unknown whether an append is stored: either all of its events are, or none is. The connection was lost after
 * the append was sent, or the database warned with the commit that a failover may lose it. An append with an
 * idempotency key can be sent again to find out; an append without one cannot.
 */
public final class OutcomeUnknownException extends EventStoreException {

    public OutcomeUnknownException(String message) {
        super(message, null, null);
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
