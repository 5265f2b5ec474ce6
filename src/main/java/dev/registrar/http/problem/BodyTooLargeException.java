package dev.registrar.http.problem;

/** A request's body is larger than the limit. */
public final class BodyTooLargeException extends RuntimeException {
    /**
     * A body whose {@code Content-Length} exceeds the limit.
     *
     * @param size in bytes
     * @param limit in bytes
     */
    public BodyTooLargeException(long size, int limit) {
        super("The request body has %d bytes (limit %d): send less in one request".formatted(size, limit));
    }

    /** A body without a {@code Content-Length} that exceeds the limit. */
    public BodyTooLargeException(int limit) {
        super("The request body is too large (limit %d bytes): send less in one request".formatted(limit));
    }
}
