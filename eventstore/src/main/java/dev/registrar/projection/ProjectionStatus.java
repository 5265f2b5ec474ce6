package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state and the progress of a view, an automation or a relay.
 *
 * @param kind view, automation or relay
 * @param state running, paused or stopped
 * @param version of the code that built the live generation
 * @param position up to which every event was seen
 * @param head position of the last event
 * @param lagEvents positions between position and head; 0 if every event has been handled
 * @param lag time since the first unhandled event was stored
 * @param events handled since the last rebuild
 * @param skipped number of events skipped since the last rebuild
 * @param skips the last {@value #MOST_SKIPS} skipped events, the latest first
 * @param deadLetters number of events that were skipped or parked, and that no operator has retried or discarded since
 * @param movedAt when the checkpoint last moved
 * @param failure the last one; null if the checkpoint has moved since
 * @param rebuild the next generation, while it is built
 */
public record ProjectionStatus(
        String name,
        String kind,
        String state,
        int version,
        Position position,
        Position head,
        long lagEvents,
        Duration lag,
        long events,
        long skipped,
        List<Skip> skips,
        long deadLetters,
        Instant movedAt,
        @Nullable Failure failure,
        Optional<Rebuild> rebuild) {

    /** Maximum number of skipped events in a status. */
    public static final int MOST_SKIPS = 10;

    public ProjectionStatus {
        skips = List.copyOf(skips);
    }

    /** Whether the live generation has stopped: at an event that could not be handled, or by another failure. */
    public boolean isStopped() {
        return state.equals(Checkpoint.State.STOPPED.text());
    }

    /**
     * A failure of a follower.
     *
     * @param position of the event that could not be handled; null if the failure concerned no certain event
     */
    public record Failure(String message, @Nullable Position position, Instant at) {}

    /**
     * The next generation of a view.
     *
     * @param events handled so far
     * @param eventsPerSecond since the rebuild began
     * @param remaining positions up to the head
     */
    public record Rebuild(
            int version,
            String state,
            Position position,
            long events,
            double eventsPerSecond,
            long remaining,
            Instant startedAt,
            @Nullable Failure failure) {

        /** Whether the rebuild has stopped: at an event that could not be handled, or by another failure. */
        public boolean isStopped() {
            return state.equals(Checkpoint.State.STOPPED.text());
        }
    }
}
