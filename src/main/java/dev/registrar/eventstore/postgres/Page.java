package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/**
 * Some events of a read, and the store's head in the same snapshot.
 *
 * @param lostHeads whether the store no longer has one of the heads that were given
 */
record Page(Head head, List<SequencedEvent> events, boolean lostHeads) {}
