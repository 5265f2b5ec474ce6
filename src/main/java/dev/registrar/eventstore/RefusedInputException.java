package dev.registrar.eventstore;

/** The request is invalid; nothing was stored, and a repetition is refused as well. */
public final class RefusedInputException extends EventStoreException {

    public RefusedInputException(String message) {
        super(message, null, null);
    }
}
