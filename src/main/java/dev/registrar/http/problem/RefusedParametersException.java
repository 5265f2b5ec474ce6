package dev.registrar.http.problem;

import dev.registrar.http.problem.Problem.FieldError;
import java.util.List;

/** Parameters of a request that are unknown to the operation, repeated, or of the wrong form. */
public final class RefusedParametersException extends RuntimeException {
    private final transient List<FieldError> unknown;
    private final transient List<FieldError> invalid;

    RefusedParametersException(List<FieldError> unknown, List<FieldError> invalid) {
        super("Unknown: %s, invalid: %s".formatted(unknown, invalid));
        this.unknown = List.copyOf(unknown);
        this.invalid = List.copyOf(invalid);
    }

    public List<FieldError> unknown() {
        return unknown;
    }

    public List<FieldError> invalid() {
        return invalid;
    }
}
