package dev.registrar.http.problem;

/** A client sent more requests than one client may. */
public final class TooManyRequestsException extends RuntimeException {

    public TooManyRequestsException(int perSecond) {
        super("A client may send at most %d requests a second, and this one sent more: send them more slowly"
                .formatted(perSecond));
    }
}
