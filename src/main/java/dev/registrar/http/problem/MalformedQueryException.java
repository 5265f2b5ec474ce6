package dev.registrar.http.problem;

/** A query string cannot be read. */
public final class MalformedQueryException extends RuntimeException {
    public MalformedQueryException() {
        super("The query string cannot be read: every parameter needs a name, text must be UTF-8 with valid"
                + " percent-encoding, and 1,000 parameters are the most");
    }
}
