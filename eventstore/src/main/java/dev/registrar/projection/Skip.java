package dev.registrar.projection;

import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import java.time.Instant;

/**
 * A dead letter: an event that a view or an automation has skipped, or a relay has parked.
 *
 * @param by the cause of the skip
 * @param reason why the event could not be handled
 * @param at when it was skipped or parked
 */
public record Skip(Position position, By by, String reason, Instant at) {

    /** The cause of a skip. */
    public enum By {
        /** The follower cannot read the event. */
        UNREADABLE,
        /** The event could not be handled, and {@link ProjectionOptions#onFailure()} is to skip it. */
        SETTING,
        /** The event could not be handled, and an operator skipped it. */
        OPERATOR,
        /** A relay could not publish the event, or an earlier one of its key. */
        PARKED;

        public String text() {
            return KebabCase.of(this);
        }
    }
}
