package dev.registrar.eventstore;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The event that the store itself appends where tags were added to stored events. It has no tags, so queries that name
 * the added ones do not match it.
 */
public final class TagsAdded {
    /** The type of the event, which no other append may use. */
    public static final String TYPE = "registrar.TagsAdded";

    private TagsAdded() {}

    /** The event for added tags. Its payload is a JSON array of them. */
    public static Event of(Collection<Tag> added) {
        return Event.of(TYPE, FlatJson.array(added.stream().map(Tag::value).toList()));
    }

    /** Whether an event says that a tag was added which a query names. */
    public static boolean concerns(Event event, Query query) {
        if (!event.type().equals(TYPE)) {
            return false;
        }
        List<String> added = FlatJson.parseArray(event.payload());
        return added != null && tagsOf(query).stream().map(Tag::value).anyMatch(added::contains);
    }

    /** The tags that a query names. */
    public static Set<Tag> tagsOf(Query query) {
        return query.items().stream().flatMap(item -> item.tags().stream()).collect(Collectors.toUnmodifiableSet());
    }
}
