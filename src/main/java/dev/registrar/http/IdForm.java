package dev.registrar.http;

/** What an answer says of an id of the wrong form, of a course or of a student. */
final class IdForm {
    static final String MESSAGE = "is a letter or digit and up to 63 of A-Z a-z 0-9 . _ ~ -";

    private IdForm() {}
}
