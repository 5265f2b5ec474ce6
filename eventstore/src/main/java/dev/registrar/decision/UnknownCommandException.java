package dev.registrar.decision;

/** A caller named a command that is not in the {@link CommandRegistry}. */
public final class UnknownCommandException extends RuntimeException {
    /** @param message names the command and the known ones */
    public UnknownCommandException(String message) {
        super(message);
    }
}
