package dev.registrar.http;

/** A request's body had not arrived when its deadline passed, or stopped arriving. */
final class BodyTooSlowException extends RuntimeException {
    BodyTooSlowException() {
        super("The request body did not arrive in time; nothing was changed");
    }
}
