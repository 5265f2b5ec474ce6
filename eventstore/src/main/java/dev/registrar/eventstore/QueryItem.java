package dev.registrar.eventstore;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One alternative of a query. It matches an event with one of its types and all of its tags.
 *
 * @param types the types; an empty set matches events of any type
 * @param tags the tags; an empty set matches events with any tags
 */
public record QueryItem(Set<String> types, Set<Tag> tags) {
    private static final QueryItem ANY = new QueryItem(Set.of(), Set.of());

    public QueryItem {
        types = CompactSet.copyOf(types);
        tags = CompactSet.copyOf(tags);
        if (types.contains("")) {
            throw new RefusedInputException("An event type in a query must have at least one character");
        }
    }

    /** The item that matches every event. */
    public static QueryItem any() {
        return ANY;
    }

    public static QueryItem of(Collection<String> types, Collection<Tag> tags) {
        return new QueryItem(CompactSet.copyOf(types), CompactSet.copyOf(tags));
    }

    /** An item that matches events of these types, whatever their tags. */
    public static QueryItem types(String... types) {
        return of(List.of(types), List.of());
    }

    /** An item that matches events with all of these tags, whatever their type. */
    public static QueryItem tags(String... tags) {
        return of(List.of(), List.of(tags).stream().map(Tag::new).toList());
    }

    /** The same item, which also requires these tags. */
    public QueryItem tagged(String... more) {
        Set<Tag> all = new LinkedHashSet<>(tags);
        List.of(more).forEach(tag -> all.add(new Tag(tag)));
        return new QueryItem(types, all);
    }

    /** Whether the item matches an event. */
    public boolean matches(Event event) {
        return (types.isEmpty() || types.contains(event.type())) && event.tags().containsAll(tags);
    }
}
