package dev.registrar.http;

/** A request's idempotency key is none. */
final class MalformedKeyException extends RuntimeException {

    MalformedKeyException(int length) {
        super("An Idempotency-Key has 1 to 255 visible ASCII characters, and this one has %d characters or others"
                .formatted(length));
    }
}
