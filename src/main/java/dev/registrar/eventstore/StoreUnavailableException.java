package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached or cannot work; nothing was changed. */
public final class StoreUnavailableException extends EventStoreException {

    public StoreUnavailableException(String message) {
        super(message, null, null);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
