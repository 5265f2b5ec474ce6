package dev.registrar.http.problem;

/** The error message for a course id or a student id of the wrong form. */
public final class IdForm {
    public static final String MESSAGE = "must be a letter or digit, then up to 63 of A-Z a-z 0-9 . _ ~ -";

    private IdForm() {}
}
