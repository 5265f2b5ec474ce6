package dev.registrar.http.problem;

/** The query string of a request is malformed. */
public final class MalformedQueryException extends RuntimeException {
    public MalformedQueryException() {
        super("The query string is malformed: every parameter needs a name, text must be UTF-8 with valid"
                + " percent-encoding, and there may be at most 1,000 parameters");
    }
}
