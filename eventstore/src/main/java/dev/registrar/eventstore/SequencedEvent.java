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
 * @param originalTime when another store recorded the event first, if it was imported behind other events; otherwise
 *     null
 */
public record SequencedEvent(
        Position position,
        Event event,
        Instant recordedAt,
        @Nullable Actor actor,
        @Nullable Instant originalTime) {

    /** An event that was appended to this store. */
    public SequencedEvent(Position position, Event event, Instant recordedAt, @Nullable Actor actor) {
        this(position, event, recordedAt, actor, null);
    }

    /** An event of an unknown actor. */
    public SequencedEvent(Position position, Event event, Instant recordedAt) {
        this(position, event, recordedAt, null);
    }
}
