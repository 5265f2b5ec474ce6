package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a build of a follower stands.
 *
 * @param incarnation of the store that the position is in
 * @param position every event up to here has been seen
 * @param events handled since it was started
 * @param failure why it does not go on, or did not the last time; null if nothing was wrong
 */
record Checkpoint(
        String name,
        Build build,
        int version,
        UUID incarnation,
        Position position,
        State state,
        long events,
        long skipped,
        Instant startedAt,
        Instant movedAt,
        @Nullable Failure failure) {

    /** Whether the store that it stands in is gone: cleared, or set back to before this position. */
    boolean isLost(Head head) {
        return !incarnation.equals(head.incarnation()) || position.isAfter(head.position());
    }

    /** Whether it goes on. */
    enum State {
        RUNNING,
        /** An operator said so. */
        PAUSED,
        /** An event could not be handled. */
        STOPPED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * What went wrong.
     *
     * @param position of the event that could not be handled; null if it was no event's
     */
    record Failure(String message, @Nullable Position position, Instant at) {}
}
