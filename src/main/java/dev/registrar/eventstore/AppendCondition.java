package dev.registrar.eventstore;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must not have happened for an append to go through: an event that matches a query, after a position.
 *
 * @param failIfEventsMatch the events that would forbid it; it may differ from the query that was read
 * @param after events up to and including this position are ignored; it may lie beyond the last match and beyond the
 *     head; {@link Position#START} ignores none
 * @param basis the head that the decision rests on: if the store has lost it, the append answers
 *     {@link AppendResult.StoreReplaced}; null asks for no such check
 */
public record AppendCondition(
        Query failIfEventsMatch, Position after, @Nullable Head basis) {

    /** Fails if any event matches. */
    public static AppendCondition failIfEventsMatch(Query query) {
        return new AppendCondition(query, Position.START, null);
    }

    /**
     * Guards a decision that rests on states, each as it was at its own head: it fails as soon as an event is appended
     * that one of them would fold. So what is appended on all of these conditions was decided on states that were true
     * still.
     *
     * @param states one or more, that have been brought up to date
     * @return one condition for each head
     */
    public static List<AppendCondition> guarding(Collection<? extends StateAt<?>> states) {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("What rests on no state at all cannot be guarded");
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

    public AppendCondition after(Position position) {
        return new AppendCondition(failIfEventsMatch, position, basis);
    }

    /** Fails if an event matches that the read which saw this head did not see. */
    public AppendCondition after(Head head) {
        return new AppendCondition(failIfEventsMatch, head.position(), head);
    }
}
