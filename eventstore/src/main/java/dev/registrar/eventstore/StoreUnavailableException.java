package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/** The database cannot be reached or cannot serve requests; nothing was changed. */
public final class StoreUnavailableException extends EventStoreException {

    public StoreUnavailableException(String message) {
        super(message, null, null);
    }

    public StoreUnavailableException(String message, @Nullable Throwable cause, FailureCategory category) {
        super(message, cause, category);
    }
}
