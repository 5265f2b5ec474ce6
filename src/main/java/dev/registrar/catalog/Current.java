package dev.registrar.catalog;

import dev.registrar.eventstore.Position;

/**
 * Something that was looked up, as the store or a view has it.
 *
 * @param asOf the position of the last event that it rests on
 */
public record Current<V>(V view, Position asOf) {}
