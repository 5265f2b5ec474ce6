package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/** What became of one step along the log. */
sealed interface BatchResult {

    /** Events were handled; there may be more. */
    record Moved(Position to) implements BatchResult {}

    /** Nothing is left up to here. */
    record CaughtUp(Position to) implements BatchResult {}

    /** Another instance is at it, or one with other code; or it is not there any more. */
    record Elsewhere() implements BatchResult {}

    /** It is not to go on. */
    record Resting() implements BatchResult {}
}
