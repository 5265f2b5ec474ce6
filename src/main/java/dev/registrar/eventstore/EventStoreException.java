package dev.registrar.eventstore;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that the store did not carry out, other than by a verdict of {@link AppendResult}. */
public abstract sealed class EventStoreException extends RuntimeException
        permits RefusedInputException,
                IdempotencyKeyReusedException,
                OverloadedException,
                StoreReplacedException,
                StoreTimeoutException,
                StoreUnavailableException,
                OutcomeUnknownException {

    private final @Nullable FailureCategory category;

    EventStoreException(String message, @Nullable Throwable cause, @Nullable FailureCategory category) {
        super(message, cause);
        this.category = category;
    }

    /** What kind of failure of the database is behind it; empty where it is the request or the store itself. */
    public final Optional<FailureCategory> category() {
        return Optional.ofNullable(category);
    }
}
