package dev.registrar.http.problem;

/** The idempotency key of a request is malformed. */
public final class MalformedKeyException extends RuntimeException {
    private static final int LONGEST = 255;

    public MalformedKeyException(String given) {
        super("An Idempotency-Key must have 1 to %d visible ASCII characters, but this one %s"
                .formatted(
                        LONGEST,
                        given.isEmpty() || given.length() > LONGEST
                                ? "has %d".formatted(given.length())
                                : "has a character that is not visible or not ASCII"));
    }
}
