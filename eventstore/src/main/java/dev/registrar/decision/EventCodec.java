package dev.registrar.decision;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
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
     * @throws UnknownEventTypeException if no event of the domain has the type
     * @throws IllegalArgumentException if the payload does not match the type
     * @throws NewerEventException if a later version of the domain stored it in a form that this version cannot read
     */
    E decode(String type, String payload);

    /**
     * Decodes a stored event, with its tags.
     *
     * @throws UnknownEventTypeException if no event of the domain has the type
     * @throws IllegalArgumentException if the payload or the tags do not match the type
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
     * Decodes a stored event for a decision; empty if the decision is to ignore it. That is an event of another domain,
     * which a query without types may match. {@link IgnoringCodec} ignores more.
     *
     * @throws UnreadableEventException if the event has a type of the domain but cannot be read
     * @throws NewerEventException if a later version of the domain stored it in a form that this version cannot read
     */
    default Optional<E> decodeForDecision(SequencedEvent stored) {
        try {
            return Optional.of(decode(stored.event()));
        } catch (UnknownEventTypeException ofOtherDomain) {
            return Optional.empty();
        } catch (IllegalArgumentException unreadable) {
            throw new UnreadableEventException(stored, unreadable);
        }
    }

    /**
     * Decodes a stored event; empty if the codec cannot read it. For look-ups that show what can be read.
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
