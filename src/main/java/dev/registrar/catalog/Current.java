package dev.registrar.catalog;

import dev.registrar.eventstore.Position;

/**
 * A view as the store has it now.
 *
 * @param asOf the position of the last event that the view rests on
 */
public record Current<V>(V view, Position asOf) {}
