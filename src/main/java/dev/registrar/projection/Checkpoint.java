package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StoreReplacedException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a build of a follower stands.
 *
 * @param incarnation of the store that the position is in
 * @param position every event up to here has been seen
 * @param lastEventId of the event at the position; null at the start, and if an older version of the service, which
 *     keeps no ids, has moved it
 * @param events handled since it was started
 * @param failure why it does not go on, or did not the last time; null if nothing was wrong
 */
record Checkpoint(
        String name,
        Generation build,
        int version,
        UUID incarnation,
        Position position,
        @Nullable UUID lastEventId,
        State state,
        long events,
        long skipped,
        Instant startedAt,
        Instant movedAt,
        @Nullable Failure failure) {

    /** Whether the id of the event at its position is known. */
    boolean namesItsEvent() {
        return lastEventId != null || position.equals(Position.START);
    }

    /**
     * Reads the events that follow, if the store still has the history that it stands in.
     *
     * @param most events
     * @throws StoreReplacedException if the store was cleared, or has lost the event at this position
     */
    EventStream readOn(EventStore store, Query query, long most) {
        Head reached = new Head(position, incarnation, lastEventId);
        ReadOptions options = ReadOptions.forwards().after(position).limit(most);
        EventStream events = store.read(query, namesItsEvent() ? options.on(Set.of(reached)) : options);
        Head head = events.head();
        if (!incarnation.equals(head.incarnation()) || position.isAfter(head.position())) {
            events.close();
            throw new StoreReplacedException(reached, head);
        }
        return events;
    }

    /**
     * The store's head, if the store still has the history that it stands in.
     *
     * @throws StoreReplacedException as {@link #readOn} does
     */
    Head headOf(EventStore store) {
        try (EventStream nothing = readOn(store, Query.all(), 0)) {
            return nothing.head();
        }
    }

    /** The event at which it has stopped; nothing if it has not, or at none. */
    Optional<Position> stoppedAt() {
        return state == State.STOPPED && failure != null ? Optional.ofNullable(failure.position()) : Optional.empty();
    }

    /** Whether it goes on. */
    enum State {
        RUNNING,
        /** An operator said so. */
        PAUSED,
        /** An event could not be handled. */
        STOPPED;

        String text() {
            return KebabCase.of(this);
        }

        static State of(String text) {
            return KebabCase.parse(State.class, text);
        }
    }

    /**
     * What went wrong.
     *
     * @param position of the event that could not be handled; null if it was no event's
     */
    record Failure(String message, @Nullable Position position, Instant at) {}
}
