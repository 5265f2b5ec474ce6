package dev.registrar.http.problem;

/** A request's body had not arrived when its deadline passed, or stopped arriving. */
public final class BodyTooSlowException extends RuntimeException {
    public BodyTooSlowException(long arrived) {
        super("The request body did not arrive in time: %d bytes came; nothing was changed: send the request again"
                .formatted(arrived));
    }
}
