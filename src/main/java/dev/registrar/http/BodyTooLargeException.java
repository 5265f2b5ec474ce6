package dev.registrar.http;

/** A request's body is larger than the limit. */
final class BodyTooLargeException extends RuntimeException {
    BodyTooLargeException(int limit) {
        super("A request body has at most %d bytes".formatted(limit));
    }
}
