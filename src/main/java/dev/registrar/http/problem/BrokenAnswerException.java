package dev.registrar.http.problem;

/** An answer that is partly sent cannot be finished: its connection has to break, or it would seem to be whole. */
public final class BrokenAnswerException extends RuntimeException {

    public BrokenAnswerException(Throwable cause) {
        super(cause);
    }
}
