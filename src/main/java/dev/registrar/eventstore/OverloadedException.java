package dev.registrar.eventstore;

/** More requests are waiting than the store lets wait; nothing was changed. Try again later. */
public final class OverloadedException extends EventStoreException {

    /** @param message told to the client: which limit was met, with its value */
    public OverloadedException(String message) {
        super(message, null, null);
    }
}
