package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.util.UUID;

/**
 * What was looked up in a view.
 *
 * @param position the view has seen every event up to here, and perhaps more
 * @param incarnation of the store that the position is in
 */
public record ViewAt<T>(T found, Position position, UUID incarnation) {}
