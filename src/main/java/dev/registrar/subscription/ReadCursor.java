package dev.registrar.subscription;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions;
import java.util.Set;

/**
 * How far a store has been read.
 *
 * @param last the position up to which nothing is missing
 * @param seen heads of the history that was read: whatever is read next must be of the same one; empty before the first
 *     read from a position that came without a head
 */
record ReadCursor(Position last, Set<Head> seen) {

    static ReadCursor after(Position position) {
        return new ReadCursor(position, Set.of());
    }

    static ReadCursor after(Head head) {
        return new ReadCursor(head.position(), Set.of(head));
    }

    ReadCursor at(Position position) {
        return new ReadCursor(position, seen);
    }

    /** The same place after a read that found it in the history that leads to a head. */
    ReadCursor seenAt(Head head) {
        return new ReadCursor(last, Set.of(head));
    }

    /** A read of what follows, which the store refuses if it has lost what was seen. */
    ReadOptions next() {
        return ReadOptions.forwards().after(last).on(seen);
    }

    /** Whether the position is one that the store whose head this is does not have. */
    boolean isBeyond(Head head) {
        return last.isAfter(head.position());
    }
}
