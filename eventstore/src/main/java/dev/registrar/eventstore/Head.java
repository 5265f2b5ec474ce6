package dev.registrar.eventstore;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of a store at the time of a read. It identifies the history up to there. A state cached at a head is valid as
 * long as the store has the same incarnation and the same event at that position. A store that was cleared, or restored
 * from an older copy and then appended to, no longer has the head. A position alone does not identify a history,
 * because the store may meanwhile hold other events there.
 *
 * @param position the position of the last event; {@link Position#START} if the store is empty
 * @param incarnation the id of the store's incarnation, renewed whenever the store is cleared
 * @param lastEventId the id of the last event; null if the store is empty
 */
public record Head(
        Position position, UUID incarnation, @Nullable UUID lastEventId) {

    /** The head of the same history when the given event was the last one. */
    public Head at(SequencedEvent event) {
        return new Head(event.position(), incarnation, event.event().id());
    }

    /** The head before the first event. */
    public Head start() {
        return new Head(Position.START, incarnation, null);
    }
}
