package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of one or more projections, all from one snapshot of the store.
 *
 * @param states in the order of the request, all at {@code head}; {@link EventStore#project} brings them up to date
 * @param head of the store when it was read
 * @param lastRead the highest position of the events that were folded in this read; null if none was
 */
public record Projected(
        List<StateAt<?>> states, Head head, @Nullable Position lastRead) {
    public Projected {
        states = List.copyOf(states);
    }

    /**
     * The state of one of the projections.
     *
     * @throws IllegalArgumentException if the projection was not part of the request
     */
    @SuppressWarnings("unchecked") // a projection's state is of the projection's own type
    public <S> S state(Projection<S> projection) {
        for (StateAt<?> state : states) {
            if (state.projection().equals(projection)) {
                return (S) state.state();
            }
        }
        throw new IllegalArgumentException("%s was not projected".formatted(projection));
    }

    /**
     * The condition that guards a decision on these states: it fails once an event is appended that one of them would
     * fold.
     */
    public AppendCondition appendCondition() {
        Query boundary = states.stream()
                .map(state -> state.projection().query())
                .reduce(Query::or)
                .orElseThrow();
        return AppendCondition.failIfEventsMatch(boundary).after(head);
    }
}
