package dev.registrar.dataset;

/** Thrown when a data set is to be loaded into a store that has other courses of the same ids. */
public final class DataSetConflictException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DataSetConflictException(String message) {
        super(message);
    }
}
