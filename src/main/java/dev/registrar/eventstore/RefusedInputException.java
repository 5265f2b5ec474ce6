package dev.registrar.eventstore;

/** The request itself is wrong; nothing was stored, and sending it again will not help. */
public final class RefusedInputException extends EventStoreException {

    public RefusedInputException(String message) {
        super(message, null, null);
    }
}
