package dev.registrar.decision;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;

/**
 * A stored event of one of the domain's types cannot be read: its payload is not one of its type, or has a form that
 * this version of the domain does not know. A decision that depends on the event fails, because ignoring it could
 * violate a rule.
 *
 * @see IgnoringCodec
 */
public final class UnreadableEventException extends RuntimeException {
    private final transient Position position;
    private final String type;

    UnreadableEventException(SequencedEvent event, RuntimeException reason) {
        super(
                "The event at position %s, of type '%s', cannot be read, and a decision that depends on it must not ignore it"
                        .formatted(event.position(), event.event().type()),
                reason);
        this.position = event.position();
        this.type = event.event().type();
    }

    /** The position of the event. */
    public Position position() {
        return position;
    }

    /** The type under which the event is stored. */
    public String type() {
        return type;
    }
}
