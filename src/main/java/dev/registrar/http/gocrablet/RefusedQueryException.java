package dev.registrar.http.gocrablet;

/** A query that go-crablet refuses with 400, although this store could run it. */
final class RefusedQueryException extends RuntimeException {
    private final String pointer;

    RefusedQueryException(String pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /** To the place in the request, as a JSON pointer (RFC 6901). */
    String pointer() {
        return pointer;
    }
}
