package dev.registrar.eventstore;

/**
 * A store that can overwrite what is personal in its events. Positions, ids, types and times stay, and so do all
 * events: the log stays gap-free.
 */
public interface ErasingEventStore extends EventStore {
    /** The maximum number of events that one transaction of an erasure overwrites. */
    int MAX_EVENTS = 1_000;

    /** The maximum length of a reason, in characters. */
    int MAX_REASON_LENGTH = 500;

    /**
     * Overwrites what is personal in the events that match a query and are stored at the time of the call, where they
     * lie. It takes as many transactions as there are thousands of events to change, each under the store's lock. Each
     * is recorded with its time, actor, reason, a digest of the query and the number of events. In the same transaction
     * the idempotency keys of their appends go, and all stored states.
     *
     * <p>An event that is already as its masking says is not changed, so a repetition changes nothing, and a call after
     * one that has failed or was killed goes on where that one ended. Of two concurrent calls about one event, the
     * later masks what the earlier has left.
     *
     * <p>Reads that are under way may still return what was read before. Other instances discard their cached states
     * within the time that {@link #erasures} says.
     *
     * @param actor the party that has the events erased, without personal data of the erased person
     * @param reason why, 1 to {@value #MAX_REASON_LENGTH} characters, without personal data: it is kept permanently
     * @return the number of events that were changed
     * @throws RefusedInputException if the query, the actor or the reason exceeds a limit, or masked text cannot be
     *     stored; what earlier transactions of this call have changed stays changed
     * @throws OverloadedException if other erasures have interfered too often; repeat the call
     * @throws StoreUnavailableException if the role of the store may not erase, too
     * @throws IllegalStateException if the caller is in a transaction
     */
    long erase(Query query, Masking masking, Actor actor, String reason);

    /**
     * The number of the last erasure that this instance knows. An erasure of this instance is known when it returns,
     * one of another instance within ten seconds, while the database answers. States that were folded before it are not
     * used any more.
     */
    long erasures();

    /** Registers a listener, which is called after {@link #erasures} has changed. */
    void onErasure(Runnable listener);
}
