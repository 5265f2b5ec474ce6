package dev.registrar.http.problem;

import dev.registrar.eventstore.RefusedInputException;
import java.util.function.Supplier;

/** A value of a request that is well-formed but not allowed, by a rule that no validation annotation can express. */
public final class InvalidValueException extends RuntimeException {
    private final String pointer;

    /**
     * A value that is not allowed.
     *
     * @param pointer to the field, as a JSON pointer (RFC 6901)
     */
    public InvalidValueException(String pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    public String pointer() {
        return pointer;
    }

    /** Evaluates a value; if the store refuses it, the error names its location in the request. */
    public static <T> T at(String pointer, Supplier<T> value) {
        try {
            return value.get();
        } catch (RefusedInputException refused) {
            throw new InvalidValueException(pointer, String.valueOf(refused.getMessage()));
        }
    }
}
