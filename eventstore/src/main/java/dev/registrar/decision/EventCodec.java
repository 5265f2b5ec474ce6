package dev.registrar.decision;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import java.util.Optional;
import java.util.Set;

/**
 * Encodes and decodes the events of a domain. A codec reads every form in which events were ever stored, because stored
 * events never change while the code does. Thread-safe.
 *
 * @param <E> the domain's events
 * @see JsonEventCodec
 */
public interface EventCodec<E> {

    /** Encodes an event, always in the current form. */
    Encoded encode(E event);

    /**
     * Decodes an event from its stored form, current or earlier.
     *
     * @throws IllegalArgumentException if the type is unknown or the payload does not match it
     * @throws NewerEventException if a later version of the domain stored it in a form that this version cannot read
     */
    E decode(String type, String payload);

    /**
     * Decodes a stored event, with its tags.
     *
     * @throws IllegalArgumentException if the type is unknown, or the payload or the tags do not match it
     * @throws NewerEventException if a later version of the domain stored it in a form that this version cannot read
     */
    default E decode(Event stored) {
        return decode(stored.type(), stored.payload());
    }

    /**
     * Extends a query to the former names of its event types. Facts are read and guarded by the extended query, so a
     * decision finds events stored under a former name, and conflicts with them. A codec without renamed types returns
     * the query itself.
     */
    default Query withFormerTypes(Query query) {
        return query;
    }

    /**
     * Decodes a stored event; empty if the codec cannot read it. Any client of the store may append an event with a
     * type of the domain, so decisions and look-ups ignore unreadable events.
     *
     * @throws NewerEventException if a later version of the domain stored it; such an event must not be ignored
     */
    default Optional<E> readable(Event stored) {
        try {
            return Optional.of(decode(stored));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * The reason why a stored event cannot be read; empty if this version or a later version of the domain can read it.
     */
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
     * The stored form of an event.
     *
     * @param type the current name of the event type
     * @param payload the payload as text; JSON unless the codec uses another format
     */
    record Encoded(String type, Set<Tag> tags, String payload) {

        /** The event to append, with a new id and no metadata. */
        public Event event() {
            return Event.of(type, tags, payload);
        }
    }
}
