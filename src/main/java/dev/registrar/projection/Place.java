package dev.registrar.projection;

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
record Place(Position last, Set<Head> seen) {

    static Place after(Position position) {
        return new Place(position, Set.of());
    }

    static Place after(Head head) {
        return new Place(head.position(), Set.of(head));
    }

    Place at(Position position) {
        return new Place(position, seen);
    }

    /** The same place after a read that found it in the history that leads to a head. */
    Place seenAt(Head head) {
        return new Place(last, Set.of(head));
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
