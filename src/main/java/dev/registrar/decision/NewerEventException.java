package dev.registrar.decision;

/**
 * A stored event has a form that only a later version of the domain can read. A decision that comes upon it fails, and
 * a view or an automation stops at it: to ignore the event could break a rule that it matters to.
 */
public final class NewerEventException extends RuntimeException {
    /** @param message names the event's type, its version and the latest version that can be read */
    public NewerEventException(String message) {
        super(message);
    }
}
