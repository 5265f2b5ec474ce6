package dev.registrar.http.problem;

/** A client exceeded its request rate. */
public final class TooManyRequestsException extends RuntimeException {

    public TooManyRequestsException(int perSecond) {
        super("Too many requests from this client (limit %d a second): send them more slowly".formatted(perSecond));
    }
}
