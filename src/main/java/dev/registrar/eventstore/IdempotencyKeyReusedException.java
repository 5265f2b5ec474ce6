package dev.registrar.eventstore;

/** An idempotency key came with another fingerprint than the first time; nothing was appended. */
public final class IdempotencyKeyReusedException extends EventStoreException {

    public IdempotencyKeyReusedException(IdempotencyKey key) {
        super("The idempotency key '%s' was used before for something else".formatted(key.value()), null, null);
    }
}
