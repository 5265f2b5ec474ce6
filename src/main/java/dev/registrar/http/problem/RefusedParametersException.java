package dev.registrar.http.problem;

import dev.registrar.http.problem.Problem.FieldError;
import java.util.List;

/** Query parameters are unknown to the operation, or are there too often. */
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
