package dev.registrar.transfer;

/** A file that cannot be imported into a store, or continued by an export. The message says why. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryException(String message) {
        super(message);
    }

    /** A line that is wrong; the first line is 1. */
    HistoryException(long line, String message) {
        super("Line %s: %s".formatted(line, message));
    }
}
