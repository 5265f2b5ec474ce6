package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.projection.ProjectionStatus.Failure;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one generation of a follower.
 *
 * @param incarnation of the store that the position belongs to
 * @param position up to which every event was seen
 * @param lastEventId of the event at the position; null at the start
 * @param events handled since the generation was started
 * @param failure the last one; null if the checkpoint has moved since
 * @param isLeased whether a reaction to the next event is carried out, in this or another instance
 * @param tagged where tags were last added to stored events; {@link Position#START} if they never were
 * @param addedTags those that were added since the generation was started, or has moved
 */
record Checkpoint(
        String name,
        Generation generation,
        int version,
        UUID incarnation,
        Position position,
        @Nullable UUID lastEventId,
        State state,
        long events,
        long skipped,
        Instant startedAt,
        Instant movedAt,
        @Nullable Failure failure,
        boolean isLeased,
        Position tagged,
        Set<String> addedTags) {

    /** The head of the store when the event at the position was the last one. */
    Head reached() {
        return new Head(position, incarnation, lastEventId);
    }

    /** Whether tags that a query names were added to events that the generation may have handled. */
    boolean lacks(Query query) {
        return !addedTags.isEmpty()
                && TagsAdded.tagsOf(query).stream().map(Tag::value).anyMatch(addedTags::contains);
    }

    /**
     * The store's head, if the store still has the history of this checkpoint.
     *
     * @throws StoreReplacedException if the store was cleared, or has lost the event at the position
     */
    Head headOf(EventStore store) {
        try (EventStream nothing =
                store.read(Query.all(), ReadOptions.forwards().after(reached()).limit(0))) {
            return nothing.head();
        }
    }

    /** The position of the event that has stopped the generation; empty if none has. */
    Optional<Position> stoppedAt() {
        return state == State.STOPPED && failure != null ? Optional.ofNullable(failure.position()) : Optional.empty();
    }

    /** Whether the generation handles events. */
    enum State {
        RUNNING,
        /** By an operator. */
        PAUSED,
        /** By an event that could not be handled. */
        STOPPED;

        String text() {
            return KebabCase.of(this);
        }

        static State of(String text) {
            return KebabCase.parse(State.class, text);
        }
    }
}
