package dev.registrar.http;

/** A request's body is larger than the limit. */
final class BodyTooLargeException extends RuntimeException {
    /**
     * A body of a size that was told.
     *
     * @param size in bytes
     * @param limit in bytes
     */
    BodyTooLargeException(long size, int limit) {
        super("The request body has %d bytes, and at most %d are allowed: send less in one request"
                .formatted(size, limit));
    }

    /** A body that turned out to be larger. */
    BodyTooLargeException(int limit) {
        super("The request body has more than the %d bytes that are allowed: send less in one request"
                .formatted(limit));
    }
}
