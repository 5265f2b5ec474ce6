package dev.registrar.http.problem;

/** A partly sent answer cannot be finished. Its connection is aborted, or the client would take it for complete. */
public final class BrokenAnswerException extends RuntimeException {

    public BrokenAnswerException(Throwable cause) {
        super(cause);
    }
}
