package dev.registrar.http;

/** A client sent more requests than one client may. */
final class TooManyRequestsException extends RuntimeException {

    TooManyRequestsException(int perSecond) {
        super("A client may send %d requests a second".formatted(perSecond));
    }
}
