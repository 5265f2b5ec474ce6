package dev.registrar.eventstore;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that failed for a reason other than an {@link AppendResult}. */
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

    /**
     * The category of the database failure that caused this exception; empty if the cause is the request or the store
     * itself.
     */
    public final Optional<FailureCategory> category() {
        return Optional.ofNullable(category);
    }
}
