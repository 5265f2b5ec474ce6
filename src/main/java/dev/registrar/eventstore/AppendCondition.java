package dev.registrar.eventstore;

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

    public AppendCondition after(Position position) {
        return new AppendCondition(failIfEventsMatch, position, basis);
    }

    /** Fails if an event matches that the read which saw this head did not see. */
    public AppendCondition after(Head head) {
        return new AppendCondition(failIfEventsMatch, head.position(), head);
    }
}
