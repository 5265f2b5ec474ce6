package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import java.util.List;

/**
 * The result of a condition check outside the store's lock. As long as the store still has the head, only later events
 * are checked under the lock.
 *
 * @param upTo the head up to which the conditions were checked
 * @param matches for each item of the request's conditions, in order, the position of the first event that it matches;
 *     {@link Position#START} if it matches none
 */
public record CheckedConditions(Head upTo, List<Position> matches) {
    public CheckedConditions {
        matches = List.copyOf(matches);
    }

    /** Whether an item matches an event, so that the request is certain to be refused. */
    public boolean isMatched() {
        for (Position match : matches) {
            if (match.isAfter(Position.START)) {
                return true;
            }
        }
        return false;
    }
}
