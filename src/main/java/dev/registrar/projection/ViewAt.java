package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/**
 * What was looked up in a view.
 *
 * @param position the view has seen every event up to here, and perhaps more
 */
public record ViewAt<T>(T found, Position position) {}
