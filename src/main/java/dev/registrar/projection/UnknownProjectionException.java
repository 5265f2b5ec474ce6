package dev.registrar.projection;

/** There is no view and no automation of this name. */
public final class UnknownProjectionException extends RuntimeException {
    public UnknownProjectionException(String name) {
        super("There is no view and no automation '%s'".formatted(name));
    }
}
