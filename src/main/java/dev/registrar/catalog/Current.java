package dev.registrar.catalog;

import dev.registrar.eventstore.Position;

/**
 * The result of a look-up in a view.
 *
 * @param asOf the position of the last event that the result depends on
 */
public record Current<V>(V view, Position asOf) {}
