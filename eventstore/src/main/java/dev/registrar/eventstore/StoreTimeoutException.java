package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/** A connection, a lock or a statement exceeded its time-out; nothing was changed. */
public final class StoreTimeoutException extends EventStoreException {

    public StoreTimeoutException(String message) {
        super(message, null, null);
    }

    public StoreTimeoutException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
