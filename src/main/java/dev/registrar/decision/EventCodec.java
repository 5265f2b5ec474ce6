package dev.registrar.decision;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import java.util.Optional;
import java.util.Set;

/**
 * The form in which the store keeps a domain's events. A codec reads every form in which events were ever stored:
 * events never change, but the code that reads them does. Safe for use by any number of threads.
 *
 * @param <E> the domain's events
 * @see JsonEventCodec
 */
public interface EventCodec<E> {

    /** The stored form of an event, always the current one. */
    Encoded encode(E event);

    /**
     * Reads an event from its stored form, current or earlier.
     *
     * @throws IllegalArgumentException if the type is unknown or the payload does not fit it
     * @throws NewerEventException if a later version of the domain stored it, in a form that this one does not know
     */
    E decode(String type, String payload);

    /**
     * Reads a stored event, with its tags.
     *
     * @throws IllegalArgumentException if the type is unknown, or the payload or the tags do not fit it
     * @throws NewerEventException if a later version of the domain stored it, in a form that this one does not know
     */
    default E decode(Event stored) {
        return decode(stored.type(), stored.payload());
    }

    /**
     * A query that also matches events stored under earlier names of its event types. Facts are read and guarded by
     * such queries: a decision that asks for the current name finds events of the earlier one, and conflicts with them.
     * A codec without renamed types returns the query itself.
     */
    default Query withFormerTypes(Query query) {
        return query;
    }

    /**
     * A stored event; empty if it cannot be read. Any client of the store may append an event under a domain type, so
     * decisions and look-ups ignore events that the codec cannot read.
     *
     * @throws NewerEventException if a later version of the domain stored it: such an event is not ignored
     */
    default Optional<E> readable(Event stored) {
        try {
            return Optional.of(decode(stored));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** The reason why a stored event cannot be read; empty if it can, here or by a later version of the domain. */
    default Optional<String> unreadable(Event stored) {
        try {
            decode(stored);
            return Optional.empty();
        } catch (IllegalArgumentException unreadable) {
            return Optional.of(String.valueOf(unreadable.getMessage()));
        } catch (NewerEventException newer) {
            return Optional.empty();
        }
    }

    /**
     * An event in its stored form.
     *
     * @param type the current name of its type
     * @param payload as text; JSON unless the codec has a format of its own
     */
    record Encoded(String type, Set<Tag> tags, String payload) {

        /** The event as it is appended, with a new id and no metadata. */
        public Event event() {
            return Event.of(type, tags, payload);
        }
    }
}
