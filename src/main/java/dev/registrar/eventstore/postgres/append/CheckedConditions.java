package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import java.util.List;

/**
 * How far the conditions of a request were checked before it was sent. Under the store's lock only what came after that
 * head is looked at, as long as the store still has the head.
 *
 * @param upTo the head that the check saw
 * @param matches for each item of the request's conditions, in their order, the first event that it matches;
 *     {@link Position#START} where it matches none
 */
public record CheckedConditions(Head upTo, List<Position> matches) {
    public CheckedConditions {
        matches = List.copyOf(matches);
    }

    /** Whether an item matches an event, so that the request is refused for certain, if for no earlier reason. */
    public boolean isMatched() {
        for (Position match : matches) {
            if (match.isAfter(Position.START)) {
                return true;
            }
        }
        return false;
    }
}
