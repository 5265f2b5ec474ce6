package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;

/**
 * A chunk of the events of a read, with the store's head in the same snapshot.
 *
 * @param cut whether the chunk ended because the next event did not fit
 * @param lostHeads whether the store no longer has one of the given heads
 * @param tagged the position at which tags were last added to stored events; {@link Position#START} if they never were
 */
record Chunk(Head head, List<SequencedEvent> events, boolean cut, boolean lostHeads, Position tagged) {
    private static final int BYTES_BESIDE_TEXT = 256;

    /** The approximate memory of the events, in bytes. */
    long bytes() {
        long bytes = 0;
        for (SequencedEvent event : events) {
            bytes += bytes(event.event());
        }
        return bytes;
    }

    /** The approximate memory of an event, in bytes. */
    static long bytes(Event event) {
        long bytes = BYTES_BESIDE_TEXT;
        bytes += event.payload().length();
        bytes += event.metadata().length();
        for (Tag tag : event.tags()) {
            bytes += tag.value().length();
        }
        return bytes;
    }
}
