package dev.registrar.decision;

/**
 * A stored event has a form that only a later version of the domain can read. A decision that reads it fails, and a
 * view or an automation stops at it, because ignoring the event could violate a rule.
 */
public final class NewerEventException extends RuntimeException {
    /** @param message names the event type, its version and the highest version that can be read */
    public NewerEventException(String message) {
        super(message);
    }
}
