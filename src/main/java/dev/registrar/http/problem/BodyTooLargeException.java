package dev.registrar.http.problem;

/** A request's body is larger than the limit. */
public final class BodyTooLargeException extends RuntimeException {
    /**
     * A body of a size that was told.
     *
     * @param size in bytes
     * @param limit in bytes
     */
    public BodyTooLargeException(long size, int limit) {
        super("The request body has %d bytes, and at most %d are allowed: send less in one request"
                .formatted(size, limit));
    }

    /** A body that turned out to be larger. */
    public BodyTooLargeException(int limit) {
        super("The request body has more than the %d bytes that are allowed: send less in one request"
                .formatted(limit));
    }
}
