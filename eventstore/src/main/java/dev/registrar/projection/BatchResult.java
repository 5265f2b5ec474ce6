package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.time.Duration;

/** The result of processing one batch of events. */
public sealed interface BatchResult {

    /** Events were handled, and the checkpoint has moved; there may be more. */
    record Moved(Position to) implements BatchResult {}

    /** Every event up to a position was handled, and there was no later event when the batch was read. */
    record CaughtUp(Position to) implements BatchResult {}

    /**
     * Nothing was done: another instance holds the checkpoint, or another version of the code built the view's tables.
     */
    record Elsewhere() implements BatchResult {}

    /**
     * Nothing was done: the next event cannot be read, and is left to other instances, whose code may be newer.
     *
     * @param time until the event is skipped
     */
    record LeftToOthers(Duration time) implements BatchResult {}

    /** Nothing was done: the follower is paused, or was stopped by an event that it could not handle. */
    record Resting() implements BatchResult {}
}
