package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/** What became of one step along the log. */
sealed interface Outcome {

    /** Events were handled; there may be more. */
    record Moved(Position to) implements Outcome {}

    /** Nothing is left up to here. */
    record CaughtUp(Position to) implements Outcome {}

    /** Another instance is at it, or one with other code; or it is not there any more. */
    record Elsewhere() implements Outcome {}

    /** It is not to go on. */
    record Resting() implements Outcome {}
}
