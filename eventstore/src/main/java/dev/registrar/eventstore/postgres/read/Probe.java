package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import java.util.List;

/**
 * A query item and the range of positions to search.
 *
 * @param above the exclusive lower bound
 * @param upTo the inclusive upper bound
 */
record Probe(QueryItem item, Position above, Position upTo) {
    /** One probe for each item, all with the same bounds. */
    static List<Probe> all(List<QueryItem> items, Position above, Position upTo) {
        return items.stream().map(item -> new Probe(item, above, upTo)).toList();
    }

    boolean hasOneTag() {
        return item.tags().size() == 1;
    }
}
