package dev.registrar.decision;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.Masking;
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

    /** Decodes a stored event, with its tags; fails as {@link #decode(String, String)} does. */
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
     * An event without what is personal in it, and those of its tags that are personal. Pure, and the same for a masked
     * event. Facts fold a masked event as the event itself: each decision comes out as before, unless its query names a
     * tag that goes. Unless a codec says otherwise, nothing is personal.
     */
    default Masked<E> masked(E event) {
        return new Masked<>(event, Set.of());
    }

    /**
     * What an erasure leaves of the events of this codec: the payload of the {@link #masked} event, in the current
     * form, and the metadata of a decision without correlation and causation, which clients choose. Of an event that
     * the codec cannot read, which decisions may ignore, nothing is left but an empty object. Events of other domains
     * stay as they are. The actor stays.
     *
     * @throws NewerEventException while masking, if a later version of the domain has stored an event
     */
    default Masking masking() {
        return stored -> {
            String metadata = EventMetadata.parse(stored.event().metadata())
                    .map(known -> new EventMetadata(null, null, known.commandType(), known.commandId()))
                    .map(EventMetadata::json)
                    .orElse(Event.NO_METADATA);
            E event;
            try {
                event = decode(stored.event());
            } catch (UnknownEventTypeException ofOtherDomain) {
                return Masking.Masked.nothingOf(stored);
            } catch (IllegalArgumentException unreadable) {
                return new Masking.Masked("{}", metadata, stored.actor(), Set.of());
            }
            Masked<E> masked = masked(event);
            return new Masking.Masked(
                    encode(masked.event()).payload(), metadata, stored.actor(), masked.personalTags());
        };
    }

    /**
     * An event without what is personal in it.
     *
     * @param personalTags the personal tags of the event before it was masked
     */
    record Masked<E>(E event, Set<Tag> personalTags) {
        public Masked {
            personalTags = Set.copyOf(personalTags);
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
