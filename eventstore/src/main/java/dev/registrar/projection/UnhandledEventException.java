package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/** A follower could not handle an event, or one of several events. Its checkpoint has not moved. */
public final class UnhandledEventException extends RuntimeException {
    private final String text;
    private final transient Checkpoint checkpoint;
    private final transient List<SequencedEvent> events;

    /** @param cause a {@link Printable} failure */
    UnhandledEventException(Checkpoint checkpoint, List<SequencedEvent> events, Throwable cause) {
        super(
                "%s could not handle %s: %s".formatted(checkpoint.name(), described(events), Printable.text(cause)),
                cause);
        this.text = Printable.text(cause);
        this.checkpoint = checkpoint;
        this.events = events;
    }

    private static String described(List<SequencedEvent> events) {
        Position first = events.getFirst().position();
        return events.size() == 1
                ? "the event at " + first
                : "one of the %s events from %s to %s"
                        .formatted(events.size(), first, events.getLast().position());
    }

    /** The text of the follower's own failure. */
    String text() {
        return text;
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    List<SequencedEvent> events() {
        return events;
    }
}
