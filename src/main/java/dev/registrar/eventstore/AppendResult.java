package dev.registrar.eventstore;

/** The result of an append that the store has judged. */
public sealed interface AppendResult {

    /**
     * The events are stored, and durable.
     *
     * @param first the position of the first event; the others follow it without a gap
     * @param last the position of the last event
     * @param repeated whether an earlier append under the same idempotency key stored them, and this one nothing
     */
    record Appended(Position first, Position last, boolean repeated) implements AppendResult {}

    /**
     * A condition failed: the store holds an event that it forbids. Nothing was appended.
     *
     * @param item the first item of the conditions' queries, in their order, that matched
     * @param position the lowest position after its condition's that the item matched
     * @param type of the event at that position
     */
    record Conflict(QueryItem item, Position position, String type) implements AppendResult {}

    /**
     * The store has lost a head that a condition rests on: it was cleared, or set back to an older copy. Nothing was
     * appended, and everything remembered of the store is void.
     */
    record StoreReplaced() implements AppendResult {}
}
