package dev.registrar.http;

/** A client sent more requests than one client may. */
final class TooManyRequestsException extends RuntimeException {

    TooManyRequestsException(int perSecond) {
        super("A client may send at most %d requests a second, and this one sent more: send them more slowly"
                .formatted(perSecond));
    }
}
