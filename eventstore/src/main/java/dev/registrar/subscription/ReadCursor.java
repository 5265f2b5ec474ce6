package dev.registrar.subscription;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions;
import java.util.Set;

/**
 * The progress of a reader of the store.
 *
 * @param last the position up to which every event was read
 * @param heads of the history that was read, which the next read must still find; empty before the first read from a
 *     position without a head
 */
record ReadCursor(Position last, Set<Head> heads) {

    static ReadCursor after(Position position) {
        return new ReadCursor(position, Set.of());
    }

    static ReadCursor after(Head head) {
        return new ReadCursor(head.position(), Set.of(head));
    }

    ReadCursor at(Position position) {
        return new ReadCursor(position, heads);
    }

    /** The same position, after a read that found it in the history of a head. */
    ReadCursor verifiedBy(Head head) {
        return new ReadCursor(last, Set.of(head));
    }

    /**
     * The options of a read of the events that follow; the store refuses it if it has lost one of the heads, or if tags
     * of the query were added since to events that were read.
     */
    ReadOptions next() {
        return ReadOptions.forwards().after(last).on(heads).withSameTags();
    }

    /** Whether the position is beyond the last event of the store that has this head. */
    boolean isBeyond(Head head) {
        return last.isAfter(head.position());
    }
}
