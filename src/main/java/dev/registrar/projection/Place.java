package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a store has been read.
 *
 * @param last the position up to which nothing is missing
 * @param incarnation of the store it was read of; null before the first read
 */
record Place(Position last, @Nullable UUID incarnation) {

    static Place after(Position position) {
        return new Place(position, null);
    }

    Place at(Position position) {
        return new Place(position, incarnation);
    }

    Place of(UUID read) {
        return new Place(last, read);
    }

    boolean isOfSameStoreAs(Place other) {
        return Objects.equals(incarnation, other.incarnation);
    }

    /** Whether the store whose head this is has lost what was read. */
    boolean isLostBy(Head head) {
        return last.isAfter(head.position()) || (incarnation != null && !incarnation.equals(head.incarnation()));
    }
}
