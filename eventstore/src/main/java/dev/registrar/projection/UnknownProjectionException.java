package dev.registrar.projection;

/** No view, automation or relay has the name. */
public final class UnknownProjectionException extends RuntimeException {
    public UnknownProjectionException(String name) {
        super("No view, automation or relay has the name '%s'".formatted(name));
    }
}
