package dev.registrar.eventstore;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query for events. It matches an event that matches at least one of its items.
 *
 * @param items one or more items
 */
public record Query(List<QueryItem> items) {
    private static final Query ALL = new Query(List.of(QueryItem.any()));

    public Query {
        items = List.copyOf(items);
        if (items.isEmpty()) {
            throw new RefusedInputException("A query must have at least one item; use Query.all() for all events");
        }
    }

    /** The query that matches every event. */
    public static Query all() {
        return ALL;
    }

    /** A query of one or more items. */
    public static Query of(QueryItem... items) {
        return new Query(List.of(items));
    }

    /**
     * A query for events that match this query or another. The items are concatenated and not merged, because a merged
     * item could match fewer events.
     */
    public Query or(Query other) {
        return new Query(
                Stream.concat(items.stream(), other.items.stream()).distinct().toList());
    }

    /** A digest, which is the same for equal queries. */
    public String digest() {
        // U+0000 is in no type and in no tag of a stored event.
        return Sha256.hex(items.stream().map(Query::text).sorted().collect(Collectors.joining("\0\0\0")));
    }

    private static String text(QueryItem item) {
        return Stream.concat(item.types().stream(), item.tags().stream().map(tag -> "\0" + tag.value()))
                .sorted()
                .collect(Collectors.joining("\0"));
    }

    /** Whether at least one item matches an event. */
    public boolean matches(Event event) {
        for (QueryItem item : items) {
            if (item.matches(event)) {
                return true;
            }
        }
        return false;
    }
}
