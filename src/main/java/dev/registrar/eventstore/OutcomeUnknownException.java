package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * The connection was lost after an append was sent: its events are stored, all of them, or none is. An append that
 * carried an idempotency key can be sent again to find out; another one cannot.
 */
public final class OutcomeUnknownException extends EventStoreException {

    public OutcomeUnknownException(String message) {
        super(message, null, null);
    }

    public OutcomeUnknownException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
