package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/** A follower could not handle some events; its checkpoint has not moved. */
final class UnhandledEventException extends RuntimeException {
    private final transient Checkpoint checkpoint;
    private final transient List<SequencedEvent> events;

    UnhandledEventException(Checkpoint checkpoint, List<SequencedEvent> events, Throwable cause) {
        super(
                "%s could not handle %s: %s"
                        .formatted(
                                checkpoint.name(),
                                events.size() == 1
                                        ? "the event at " + events.getFirst().position()
                                        : "one of the %d events from %s to %s"
                                                .formatted(
                                                        events.size(),
                                                        events.getFirst().position(),
                                                        events.getLast().position()),
                                cause),
                cause);
        this.checkpoint = checkpoint;
        this.events = events;
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    List<SequencedEvent> events() {
        return events;
    }
}
