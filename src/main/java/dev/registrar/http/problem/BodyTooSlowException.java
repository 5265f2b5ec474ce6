package dev.registrar.http.problem;

/** The body of a request did not arrive before the request's deadline, or stopped arriving. */
public final class BodyTooSlowException extends RuntimeException {
    public BodyTooSlowException(long arrived) {
        super("The request body did not arrive in time (%d bytes received); nothing was changed: send the request again"
                .formatted(arrived));
    }
}
