package dev.registrar.eventstore;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition of an append: it fails if the store holds an event that matches a query, after a position.
 *
 * @param failIfEventsMatch the query; it may differ from the query that was read
 * @param after events up to and including this position are ignored; it may lie beyond the last match and beyond the
 *     head; {@link Position#START} ignores none
 * @param basis the head that the decision rests on: if the store has lost it, the append returns
 *     {@link AppendResult.StoreReplaced}; null for no such check
 */
public record AppendCondition(
        Query failIfEventsMatch, Position after, @Nullable Head basis) {

    /** A condition that fails if any event matches. */
    public static AppendCondition failIfEventsMatch(Query query) {
        return new AppendCondition(query, Position.START, null);
    }

    /**
     * Conditions that guard a decision on states, each at a head of its own: one of them fails once an event is
     * appended that one of the states would fold. An append on all of them was therefore decided on states that are
     * still true.
     *
     * @param states one or more, that have been brought up to date
     * @return one condition for each head
     * @throws IllegalArgumentException if there is no state, or one has not been read at any head
     */
    public static List<AppendCondition> guarding(Collection<? extends StateAt<?>> states) {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("Conditions guard one state or more, but none was given");
        }
        Map<Head, Query> boundaries = new LinkedHashMap<>();
        for (StateAt<?> state : states) {
            if (state.head() == null) {
                throw new IllegalArgumentException(
                        "The state of %s has not been read at any head".formatted(state.projection()));
            }
            boundaries.merge(state.head(), state.projection().query(), Query::or);
        }
        return boundaries.entrySet().stream()
                .map(boundary -> failIfEventsMatch(boundary.getValue()).after(boundary.getKey()))
                .toList();
    }

    /** The same condition that ignores events up to and including a position. */
    public AppendCondition after(Position position) {
        return new AppendCondition(failIfEventsMatch, position, basis);
    }

    /** The same condition on events behind a head, on which the append then rests. */
    public AppendCondition after(Head head) {
        return new AppendCondition(failIfEventsMatch, head.position(), head);
    }
}
