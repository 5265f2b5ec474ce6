package dev.registrar.decision;

/** A stored event has a type of which the domain has no event. It belongs to another domain that shares the store. */
public final class UnknownEventTypeException extends IllegalArgumentException {
    /** @param domain names the domain, for example its interface of events */
    public UnknownEventTypeException(String domain, String type) {
        super("Unknown event type: no event of %s has the type '%s'".formatted(domain, type));
    }
}
