package dev.registrar.http;

/** A value of a request is well-formed but not allowed, and no annotation can say so. */
final class InvalidValueException extends RuntimeException {
    private final String pointer;

    /**
     * A value that is not allowed.
     *
     * @param pointer to the field, as a JSON pointer
     */
    InvalidValueException(String pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    String pointer() {
        return pointer;
    }
}
