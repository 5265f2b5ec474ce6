package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a view or an automation is doing.
 *
 * @param kind view or automation
 * @param state running, paused or stopped
 * @param version of the code that made what is read
 * @param position every event up to here has been seen
 * @param head the last event's position
 * @param lagEvents positions from there to the head; 0 if no event waits to be handled
 * @param lag how long the first event that waits has been stored
 * @param events handled since it was last rebuilt
 * @param skipped events that could not be handled and were left out
 * @param skips the last {@value #MOST_SKIPS} of them, the last one first
 * @param failure why it does not go on, or did not the last time
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
        Instant movedAt,
        @Nullable Failure failure,
        Optional<Rebuild> rebuild) {

    /** How many of the events that were left out are told. */
    public static final int MOST_SKIPS = 10;

    public ProjectionStatus {
        skips = List.copyOf(skips);
    }

    /**
     * What went wrong.
     *
     * @param position of the event that could not be handled; null if it was no event's
     */
    public record Failure(String message, @Nullable Position position, Instant at) {

        static @Nullable Failure of(Checkpoint.@Nullable Failure failure) {
            return failure == null ? null : new Failure(failure.message(), failure.position(), failure.at());
        }
    }

    /**
     * A build that will take the present one's place.
     *
     * @param events handled so far
     * @param eventsPerSecond since it was begun
     * @param remaining positions that it has to pass yet
     */
    public record Rebuild(
            int version,
            String state,
            Position position,
            long events,
            double eventsPerSecond,
            long remaining,
            Instant startedAt,
            @Nullable Failure failure) {}
}
