package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.util.UUID;

/**
 * The result of a look-up in a view.
 *
 * @param position up to which the view has seen every event; it may have seen later ones
 * @param incarnation of the store that the position belongs to
 * @param isRunning whether the view follows the log; false while it is paused or stopped
 */
public record ViewAt<T>(T found, Position position, UUID incarnation, boolean isRunning) {}
