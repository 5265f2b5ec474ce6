package dev.registrar.http;

/** An answer that is partly sent cannot be finished: its connection has to break, or it would seem to be whole. */
final class BrokenAnswerException extends RuntimeException {

    BrokenAnswerException(Throwable cause) {
        super(cause);
    }
}
