package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/** A request that the store did not carry out, other than by a verdict of {@link AppendResult}. */
public abstract sealed class EventStoreException extends RuntimeException
        permits RefusedInputException,
                IdempotencyKeyReusedException,
                OverloadedException,
                StoreTimeoutException,
                StoreUnavailableException,
                OutcomeUnknownException {

    EventStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
