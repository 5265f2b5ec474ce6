package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.math.BigDecimal;
import java.time.Duration;

/** A view did not reach a position in time, or does not follow the log. */
public final class ViewBehindException extends RuntimeException {
    /** The wait for the view was interrupted. */
    ViewBehindException(String name) {
        super("The wait for the view '%s' was interrupted: send the request again later".formatted(name));
    }

    /** The view is paused, or has stopped, before the requested position. */
    ViewBehindException(String name, Checkpoint.State state, Position reached, Position position) {
        super("The view '%s' is %s at position %s and does not have position %s: send the request again later"
                .formatted(name, state.text(), reached, position));
    }

    /** The live tables are those of an older version, and lack what a query needs. */
    ViewBehindException(String name, int version, int needed) {
        super(
                "The tables of the view '%s' have version %s and this query needs %s: send the request again when it is rebuilt, which an operator has to begin unless a rebuild is in progress"
                        .formatted(name, version, needed));
    }

    /**
     * The view did not reach the position within the time-out.
     *
     * @param reached the view's position
     * @param position that was requested
     * @param waited how long the look-up has waited
     */
    ViewBehindException(String name, Position reached, Position position, Duration waited) {
        super("The view '%s' did not reach position %s within %s s and is at position %s: send the request again later"
                .formatted(
                        name,
                        position,
                        BigDecimal.valueOf(waited.toMillis(), 3)
                                .stripTrailingZeros()
                                .toPlainString(),
                        reached));
    }
}
