package dev.registrar.eventstore;

import java.time.Instant;

/**
 * An event in a store.
 *
 * @param position its place in the store
 * @param event what was appended
 * @param recordedAt when it was appended, by the clock of the store's process, to the microsecond; it implies no order
 */
public record SequencedEvent(Position position, Event event, Instant recordedAt) {}
