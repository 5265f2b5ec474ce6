package dev.registrar.eventstore;

/** Too many requests are waiting already; nothing was changed. Try again later. */
public final class OverloadedException extends EventStoreException {

    /** @param message shown to the client: the limit that was reached, with its value */
    public OverloadedException(String message) {
        super(message, null, null);
    }
}
