package dev.registrar.dataset;

/** A data set cannot be loaded because the store has other courses with the same ids. */
public final class DataSetConflictException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DataSetConflictException(String message) {
        super(message);
    }
}
