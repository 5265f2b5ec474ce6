package dev.registrar.http.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A request is refused, and its answer is the problem of this exception. */
public final class ProblemException extends ErrorResponseException {
    private static final int LONGEST_KEY = 255;

    public ProblemException(ProblemDetail problem) {
        super(HttpStatusCode.valueOf(problem.getStatus()), problem, null);
    }

    private ProblemException(HttpStatus status, String code, String detail) {
        this(Problem.of(status, code, detail));
    }

    /**
     * A body whose {@code Content-Length} exceeds the limit.
     *
     * @param size in bytes
     * @param limit in bytes
     */
    public static ProblemException bodyTooLarge(long size, int limit) {
        return bodyTooLarge(
                "The request body has %d bytes (limit %d): send less in one request".formatted(size, limit));
    }

    /** A body without a {@code Content-Length} that exceeds the limit. */
    public static ProblemException bodyTooLarge(int limit) {
        return bodyTooLarge(
                "The request body is too large (limit %d bytes): send less in one request".formatted(limit));
    }

    private static ProblemException bodyTooLarge(String detail) {
        return new ProblemException(HttpStatus.CONTENT_TOO_LARGE, "body-too-large", detail);
    }

    /** A body that did not arrive before the request's deadline, or that stopped arriving. */
    public static ProblemException bodyTooSlow(long arrived) {
        return new ProblemException(
                HttpStatus.REQUEST_TIMEOUT,
                "request-timeout",
                "The request body did not arrive in time (%d bytes received); nothing was changed: send the request again"
                        .formatted(arrived));
    }

    public static ProblemException malformedQuery() {
        return new ProblemException(
                HttpStatus.BAD_REQUEST,
                "malformed-query",
                "The query string is malformed: every parameter needs a name, text must be UTF-8 with valid"
                        + " percent-encoding, and there may be at most 1,000 parameters");
    }

    /** The idempotency key of a request is malformed. */
    public static ProblemException malformedKey(String given) {
        return new ProblemException(
                HttpStatus.BAD_REQUEST,
                "idempotency-key-malformed",
                "An Idempotency-Key must have 1 to %d visible ASCII characters, but this one %s"
                        .formatted(
                                LONGEST_KEY,
                                given.isEmpty() || given.length() > LONGEST_KEY
                                        ? "has %d".formatted(given.length())
                                        : "has a character that is not visible or not ASCII"));
    }
}
