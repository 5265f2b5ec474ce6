package dev.registrar.eventstore;

/**
 * The store no longer has a head that a request names. The store was cleared, restored from an older copy, or failed
 * over to a standby that lacked commits. All state cached from that history is invalid. Or tags were added after that
 * head to stored events: then only state about the query of the request is invalid.
 */
public final class StoreReplacedException extends EventStoreException {
    private final Head lost;
    private final Head head;

    /**
     * Creates the exception for a lost head.
     *
     * @param lost the head that the store no longer has; if the request has lost several heads, the one at the highest
     *     position
     * @param head the store's current head
     */
    public StoreReplacedException(Head lost, Head head) {
        this(
                lost,
                head,
                "The event store no longer has event %s at position %s of incarnation %s; its head is event %s at position %s of incarnation %s"
                        .formatted(
                                lost.lastEventId(),
                                lost.position(),
                                lost.incarnation(),
                                head.lastEventId(),
                                head.position(),
                                head.incarnation()));
    }

    private StoreReplacedException(Head lost, Head head, String message) {
        super(message, null, null);
        this.lost = lost;
        this.head = head;
    }

    /** The exception for a head before tags of the query were added to events up to there. */
    public static StoreReplacedException retagged(Head lost, Head head) {
        return new StoreReplacedException(
                lost,
                head,
                "Tags that the query names were added to events since position %s was read; read again from the first event"
                        .formatted(lost.position()));
    }

    /** The head that the store no longer has. */
    public Head lost() {
        return lost;
    }

    /** The store's current head. */
    public Head head() {
        return head;
    }
}
