package dev.registrar.eventstore;

import java.util.List;
import java.util.stream.Stream;

/**
 * A question for events: those that match at least one of its items.
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

    public static Query of(QueryItem... items) {
        return new Query(List.of(items));
    }

    /** What either of the two asks for. Items are put side by side, never merged: merging can narrow a query. */
    public Query or(Query other) {
        return new Query(
                Stream.concat(items.stream(), other.items.stream()).distinct().toList());
    }

    public boolean matches(Event event) {
        for (QueryItem item : items) {
            if (item.matches(event)) {
                return true;
            }
        }
        return false;
    }
}
