package dev.registrar.eventstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store that can add tags to its stored events. All else of them stays, and so do the tags that they have. */
public interface RetaggingEventStore extends EventStore {
    /** The maximum number of events that a query for one call may match. */
    int MAX_EVENTS = 100_000;

    /**
     * What a call has changed.
     *
     * @param events the number of events that were given tags
     * @param position of the event that the store has appended for it ({@link TagsAdded}); null if all events had the
     *     tags
     */
    record Retagged(int events, @Nullable Position position) {}

    /**
     * Adds tags to the stored events that match a query, in one transaction under the store's lock: all appends wait
     * meanwhile. The call is recorded with its time, actor, reason, a digest of the query and the number of events. In
     * the same transaction the store appends an event of its own ({@link TagsAdded}).
     *
     * <p>A condition that names one of the tags, with a basis before that event, or without one after a position before
     * it, conflicts from then on if an event up to there has got the tag: its decision has read too few events. States
     * and views whose queries name a tag start again from the first event. Subscriptions and streams whose queries name
     * it end, and are to begin again. All others go on, and so do automations and relays, which do not see the events
     * again. A repetition changes nothing.
     *
     * @param added the tags, without personal data: they are kept permanently
     * @param reason why, 1 to {@value ErasingEventStore#MAX_REASON_LENGTH} characters, without personal data
     * @throws RefusedInputException if the query matches more than {@value #MAX_EVENTS} events, one of them would have
     *     too many tags, or an argument exceeds a limit; nothing was changed
     * @throws StoreUnavailableException if the role of the store may not add tags, too
     * @throws IllegalStateException if the caller is in a transaction
     */
    Retagged retag(Query query, Set<Tag> added, Actor actor, String reason);
}
