package dev.registrar.eventstore;

/**
 * The store has lost a head that a request rests on: it was cleared, restored from an older copy, or failed over to a
 * standby that lacked commits. Everything remembered of that history is void.
 */
public final class StoreReplacedException extends EventStoreException {
    private final Head lost;
    private final Head head;

    /**
     * The loss of a head.
     *
     * @param lost the head that the store no longer has; if a request named several, the one at the highest position
     * @param head the store's present head
     */
    public StoreReplacedException(Head lost, Head head) {
        super(
                "The event store no longer has event %s at position %s of incarnation %s; its head is event %s at position %s of incarnation %s"
                        .formatted(
                                lost.lastEventId(),
                                lost.position(),
                                lost.incarnation(),
                                head.lastEventId(),
                                head.position(),
                                head.incarnation()),
                null,
                null);
        this.lost = lost;
        this.head = head;
    }

    /** The head that the store no longer has. */
    public Head lost() {
        return lost;
    }

    /** The store's present head. */
    public Head head() {
        return head;
    }
}
