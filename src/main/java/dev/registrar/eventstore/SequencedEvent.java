package dev.registrar.eventstore;

import java.time.Instant;

/**
 * An event that a store holds.
 *
 * @param position its place in the store
 * @param event what was appended
 * @param recordedAt when it was appended, by the clock of the service that did, to the microsecond; no order follows
 *     from it
 */
public record SequencedEvent(Position position, Event event, Instant recordedAt) {}
