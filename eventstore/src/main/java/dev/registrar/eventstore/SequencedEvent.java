package dev.registrar.eventstore;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in a store.
 *
 * @param position the position of the event in the store
 * @param event the event that was appended
 * @param recordedAt the time of the append by the store's clock, in microseconds, or that of the event before, if the
 *     clock was set back. Times never run backwards along positions, but several events may have the same time
 * @param actor the actor of the append; null if unknown
 */
public record SequencedEvent(
        Position position,
        Event event,
        Instant recordedAt,
        @Nullable Actor actor) {

    /** An event of an unknown actor. */
    public SequencedEvent(Position position, Event event, Instant recordedAt) {
        this(position, event, recordedAt, null);
    }
}
