package dev.registrar.eventstore;

/** An idempotency key was used before with another fingerprint; nothing was appended. */
public final class IdempotencyKeyReusedException extends EventStoreException {

    private final String key;

    public IdempotencyKeyReusedException(IdempotencyKey key) {
        super(
                "The idempotency key '%s' was already used for a different request; use a new key"
                        .formatted(key.value()),
                null,
                null);
        this.key = key.value();
    }

    /** The key as the client sent it. */
    public String key() {
        return key;
    }
}
