package dev.registrar.eventstore;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of a store as a read saw it, and proof of the history that led there: a state remembered at a head is true as
 * long as the store has the same incarnation and holds the same event at that position. A store that was cleared, or
 * set back to an older copy and written on, has lost the head. A position remembered without a head proves nothing: the
 * store may hold other events there by now.
 *
 * @param position the last event's; {@link Position#START} when the store is empty
 * @param incarnation the store's, renewed whenever it is cleared
 * @param lastEventId the last event's id; null when the store is empty
 */
public record Head(
        Position position, UUID incarnation, @Nullable UUID lastEventId) {

    /** The head at the time when an event of the same history was the last one. */
    public Head at(SequencedEvent event) {
        return new Head(event.position(), incarnation, event.event().id());
    }

    /** The head before the first event. */
    public Head start() {
        return new Head(Position.START, incarnation, null);
    }
}
