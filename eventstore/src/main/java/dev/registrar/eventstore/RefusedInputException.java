package dev.registrar.eventstore;

/** The request is invalid and was refused; nothing was stored. Do not repeat it unchanged. */
public final class RefusedInputException extends EventStoreException {

    public RefusedInputException(String message) {
        super(message, null, null);
    }
}
