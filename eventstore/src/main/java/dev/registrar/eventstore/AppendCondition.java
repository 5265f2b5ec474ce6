package dev.registrar.eventstore;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition of an append. It fails if an event after a position matches a query, or if a tag that the query names was
 * added to an event up to there, after the basis, or after the position if there is none ({@link RetaggingEventStore}).
 *
 * @param failIfEventsMatch the query; it may differ from the query that the decision has read
 * @param after the condition ignores events up to and including this position, which may be higher than the last match
 *     and than the head; {@link Position#START} ignores none
 * @param basis the head at which the decision read the store; if the store no longer has it, the append returns
 *     {@link AppendResult.StoreReplaced}; null skips this check
 */
public record AppendCondition(
        Query failIfEventsMatch, Position after, @Nullable Head basis) {

    /** A condition that fails if any event matches. */
    public static AppendCondition failIfEventsMatch(Query query) {
        return new AppendCondition(query, Position.START, null);
    }

    /**
     * Conditions that guard a decision on states, which may be at different heads. A condition fails once an event is
     * appended that one of its states would fold. So an append on all of them succeeds only if all states are still
     * current.
     *
     * @param states one or more states, each at a head
     * @return one condition for each head
     * @throws IllegalArgumentException if there is no state, or one has no head
     */
    public static List<AppendCondition> guarding(Collection<? extends StateAt<?>> states) {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("At least one state is needed to guard, but there is none");
        }
        Map<Head, Query> boundaries = new LinkedHashMap<>();
        for (StateAt<?> state : states) {
            if (state.head() == null) {
                throw new IllegalArgumentException(
                        "The state of %s has no head; bring it up to date with EventStore.project first"
                                .formatted(state.projection()));
            }
            boundaries.merge(state.head(), state.projection().query(), Query::or);
        }
        return boundaries.entrySet().stream()
                .map(boundary -> failIfEventsMatch(boundary.getValue()).after(boundary.getKey()))
                .toList();
    }

    /** The same condition, ignoring events up to and including a position. */
    public AppendCondition after(Position position) {
        return new AppendCondition(failIfEventsMatch, position, basis);
    }

    /**
     * The same condition for events after a head. The append returns {@link AppendResult.StoreReplaced} if the store no
     * longer has that head.
     */
    public AppendCondition after(Head head) {
        return new AppendCondition(failIfEventsMatch, head.position(), head);
    }
}
