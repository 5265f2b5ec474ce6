package dev.registrar.eventstore;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An event to append, or the content of a stored event.
 *
 * <p>A store keeps payload and metadata byte for byte and does not interpret them. They may be any text, unless the
 * store's limits require JSON ({@link StoreLimits#validateJson}). By convention they are JSON. This library writes only
 * JSON (events of a JSON codec, the metadata of a decision). Its readers ignore or skip what they cannot parse.
 *
 * @param id an id for people and logs. The store does not require it to be unique: an append that is sent twice is
 *     stored twice, with the same ids, unless it has an idempotency key. There is no look-up by id
 * @param type the kind of event, 1 character or more
 * @param tags the things that the event is about, in the order given, without duplicates
 * @param payload the data of the event, as text; {@code {}} or an empty text if the type says everything
 * @param metadata the origin of the event, as text; {@link #NO_METADATA} for none
 */
public record Event(UUID id, String type, Set<Tag> tags, String payload, String metadata) {
    public static final String NO_METADATA = "{}";

    public Event {
        if (type.isEmpty()) {
            throw new RefusedInputException("An event type must have at least one character");
        }
        tags = CompactSet.copyOf(tags);
    }

    /** An event with a given id. */
    public static Event of(UUID id, String type, Collection<Tag> tags, String payload, String metadata) {
        return new Event(id, type, CompactSet.copyOf(tags), payload, metadata);
    }

    /** An event with a new time-ordered id (UUID version 7) and no metadata. */
    public static Event of(String type, Collection<Tag> tags, String payload) {
        return of(TimeOrderedId.next(), type, tags, payload, NO_METADATA);
    }

    /** An event with a new time-ordered id, no metadata, and tags given by their values. */
    public static Event of(String type, String payload, String... tags) {
        return of(type, Stream.of(tags).map(Tag::new).toList(), payload);
    }

    /** The same event with other metadata. */
    public Event withMetadata(String json) {
        return new Event(id, type, tags, payload, json);
    }
}
