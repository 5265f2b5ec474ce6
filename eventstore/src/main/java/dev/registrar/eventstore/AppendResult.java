package dev.registrar.eventstore;

/** The result of an append that the store has evaluated. */
public sealed interface AppendResult {

    /**
     * The events are stored, and durable.
     *
     * @param first the position of the first event; the others follow it without a gap
     * @param last the position of the last event
     * @param repeated whether an earlier append with the same idempotency key stored the events, and this append stored
     *     nothing
     */
    record Appended(Position first, Position last, boolean repeated) implements AppendResult {}

    /**
     * A condition failed because an event matches its query. Nothing was appended.
     *
     * @param item the first query item that matched, in the order of the conditions and their items
     * @param position the lowest position at which the item matched an event that its condition does not ignore; if a
     *     tag was added too late, that of the event which says so ({@link TagsAdded})
     * @param type the type of the event at that position
     */
    record Conflict(QueryItem item, Position position, String type) implements AppendResult {}

    /**
     * The store no longer has the basis of a condition: it was cleared, or restored from an older copy. Nothing was
     * appended, and all state cached from the store is invalid.
     */
    record StoreReplaced() implements AppendResult {}
}
