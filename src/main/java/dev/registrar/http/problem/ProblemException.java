package dev.registrar.http.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A request is refused, and its answer is the problem of this exception. */
public final class ProblemException extends ErrorResponseException {
    public ProblemException(ProblemDetail problem) {
        super(HttpStatusCode.valueOf(problem.getStatus()), problem, null);
    }

    private ProblemException(HttpStatus status, String code, String detail) {
        this(Problem.of(status, code, detail));
    }

    /**
     * A body of unknown length that exceeds its limit.
     *
     * @param limit in bytes
     */
    public static ProblemException bodyTooLarge(int limit) {
        return new ProblemException(
                HttpStatus.CONTENT_TOO_LARGE,
                "body-too-large",
                "The request body is too large (limit %s bytes): send less in one request".formatted(limit));
    }

    /** A body that did not arrive before the request's deadline, or that stopped arriving. */
    public static ProblemException bodyTooSlow(long arrived) {
        return new ProblemException(
                HttpStatus.REQUEST_TIMEOUT,
                "request-timeout",
                "The request body did not arrive in time (%s bytes received); nothing was changed: send the request again"
                        .formatted(arrived));
    }

    public static ProblemException malformedQuery() {
        return new ProblemException(
                HttpStatus.BAD_REQUEST,
                "malformed-query",
                "The query string is malformed: every parameter needs a name, text must be UTF-8 with valid"
                        + " percent-encoding, and there may be at most 1,000 parameters");
    }

    public static ProblemException malformedKey() {
        return new ProblemException(
                HttpStatus.BAD_REQUEST,
                "idempotency-key-malformed",
                "An Idempotency-Key must have 1 to 255 visible ASCII characters");
    }
}
