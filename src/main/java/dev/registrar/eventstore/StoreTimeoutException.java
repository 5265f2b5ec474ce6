package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/** A lock, a statement or a connection was not to be had in time; nothing was changed. */
public final class StoreTimeoutException extends EventStoreException {

    public StoreTimeoutException(String message) {
        super(message, null, null);
    }

    public StoreTimeoutException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
