package dev.registrar.decision;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Tag;
import java.util.Optional;
import java.util.Set;

/** How a domain's events are written down in the store, and read back. */
public interface EventCodec<E> {

    Encoded encode(E event);

    /**
     * Reads an event back.
     *
     * @throws IllegalArgumentException if the type is unknown or the payload does not fit it
     */
    E decode(String type, String payload);

    /**
     * Reads a stored event back, with its tags.
     *
     * @throws IllegalArgumentException if the type is unknown, or the payload or the tags do not fit it
     */
    default E decode(Event stored) {
        return decode(stored.type(), stored.payload());
    }

    /**
     * A stored event; nothing if it cannot be read. Any client of the store may append an event under a domain type, so
     * decisions and look-ups leave out what is none.
     */
    default Optional<E> readable(Event stored) {
        try {
            return Optional.of(decode(stored));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Why a stored event cannot be read; nothing if it can. */
    default Optional<String> unreadable(Event stored) {
        try {
            decode(stored);
            return Optional.empty();
        } catch (IllegalArgumentException unreadable) {
            return Optional.of(String.valueOf(unreadable.getMessage()));
        }
    }

    /**
     * An event as it is written down.
     *
     * @param payload JSON text
     */
    record Encoded(String type, Set<Tag> tags, String payload) {}
}
