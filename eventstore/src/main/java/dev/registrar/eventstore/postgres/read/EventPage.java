package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.Optional;

/**
 * A page of the events that match a query within a range of positions, in reading order.
 *
 * @param head the store's head when the page was read
 * @param events what the caller keeps of each event
 * @param next the position at which the next page begins, in reading direction; empty if the range is searched to its
 *     end
 * @param outOfTime whether the search ended because its time was over; further events may match, or none
 */
public record EventPage<T>(Head head, List<T> events, Optional<Position> next, boolean outOfTime) {
    public EventPage {
        events = List.copyOf(events);
    }
}
