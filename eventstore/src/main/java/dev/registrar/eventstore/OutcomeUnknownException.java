package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of an append is unknown: either all of its events are stored, or none is. The connection was lost after
 * the append was sent, or the database warned at the commit that a failover may lose it. To find out, send the append
 * again with the same idempotency key. An append without a key must not be sent again.
 */
public final class OutcomeUnknownException extends EventStoreException {

    public OutcomeUnknownException(String message) {
        super(message, null, null);
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
