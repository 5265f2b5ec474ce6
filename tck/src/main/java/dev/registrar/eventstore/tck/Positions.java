package dev.registrar.eventstore.tck;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.stream.Stream;

/** The positions of all events that match a query. */
record Positions(Query query) implements Projection<List<Long>> {

    static Positions of(QueryItem... items) {
        return new Positions(Query.of(items));
    }

    @Override
    public List<Long> initial() {
        return List.of();
    }

    @Override
    public List<Long> apply(List<Long> state, SequencedEvent event) {
        return Stream.concat(state.stream(), Stream.of(event.position().value()))
                .toList();
    }
}
