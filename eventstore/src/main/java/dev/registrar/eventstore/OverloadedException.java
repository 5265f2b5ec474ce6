package dev.registrar.eventstore;

/** A bound on waiting or concurrent requests was reached; nothing was changed. Try again later. */
public final class OverloadedException extends EventStoreException {

    /** @param message names the bound and its value; shown to the client */
    public OverloadedException(String message) {
        super(message, null, null);
    }
}
