package dev.registrar.eventstore;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An event as it is appended to a store.
 *
 * <p>A store keeps payload and metadata byte for byte and does not look into them. So they may be any text, unless the
 * store's limits say {@link StoreLimits#jsonOnly}. By convention they are JSON: what this library writes itself always
 * is (events of a JSON codec, the metadata of a decision), and readers ignore or skip what they cannot parse.
 *
 * @param id for people and logs: the store does not require it to be unique and does not find events by it
 * @param type the kind of event, 1 character or more
 * @param tags the things that it is about; in the order given, each once
 * @param payload what happened, as text; {@code {}} or an empty text for nothing more than the type says
 * @param metadata about the event's origin, as text; {@link #NO_METADATA} for nothing
 */
public record Event(UUID id, String type, Set<Tag> tags, String payload, String metadata) {
    public static final String NO_METADATA = "{}";

    public Event {
        if (type.isEmpty()) {
            throw new RefusedInputException("An event's type has at least one character");
        }
        tags = CompactSet.copyOf(tags);
    }

    /** An event with an id of the caller. */
    public static Event of(UUID id, String type, Collection<Tag> tags, String payload, String metadata) {
        return new Event(id, type, CompactSet.copyOf(tags), payload, metadata);
    }

    /** An event with a new time-ordered id (UUID version 7) and no metadata. */
    public static Event of(String type, Collection<Tag> tags, String payload) {
        return of(TimeOrderedId.next(), type, tags, payload, NO_METADATA);
    }

    /** An event whose tags are given by their values. */
    public static Event of(String type, String payload, String... tags) {
        return of(type, Stream.of(tags).map(Tag::new).toList(), payload);
    }

    /** The same event with other metadata. */
    public Event withMetadata(String json) {
        return new Event(id, type, tags, payload, json);
    }
}
