package dev.registrar.eventstore;

import java.util.List;
import java.util.stream.Stream;

/**
 * A query for events: it matches those that match at least one of its items.
 *
 * @param items one or more
 */
public record Query(List<QueryItem> items) {
    private static final Query ALL = new Query(List.of(QueryItem.any()));

    public Query {
        items = List.copyOf(items);
        if (items.isEmpty()) {
            throw new RefusedInputException("A query has at least one item; Query.all() asks for every event");
        }
    }

    /** Every event. */
    public static Query all() {
        return ALL;
    }

    /** A query of one or more items. */
    public static Query of(QueryItem... items) {
        return new Query(List.of(items));
    }

    /** A query for events that match either of two. Items are listed side by side, never merged: merging can narrow. */
    public Query or(Query other) {
        return new Query(
                Stream.concat(items.stream(), other.items.stream()).distinct().toList());
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
