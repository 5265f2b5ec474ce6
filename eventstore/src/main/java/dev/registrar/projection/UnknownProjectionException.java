package dev.registrar.projection;

/** No view or automation has the name. */
public final class UnknownProjectionException extends RuntimeException {
    public UnknownProjectionException(String name) {
        super("No view or automation has the name '%s'".formatted(name));
    }
}
