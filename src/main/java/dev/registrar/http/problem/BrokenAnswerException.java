package dev.registrar.http.problem;

/**
 * A partly sent answer cannot be completed. Its connection is aborted, so that the client does not take it for
 * complete.
 */
public final class BrokenAnswerException extends RuntimeException {

    public BrokenAnswerException(Throwable cause) {
        super(cause);
    }
}
