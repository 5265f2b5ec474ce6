package dev.registrar.http.problem;

/** The caller may not know whether something exists, so the answer is that it does not. */
public final class UnknownToCallerException extends RuntimeException {
    private final transient Unknown unknown;

    public UnknownToCallerException(Unknown unknown) {
        super(unknown.code());
        this.unknown = unknown;
    }

    public Unknown unknown() {
        return unknown;
    }
}
