package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of one or more projections, all from one snapshot of the store.
 *
 * @param states the states in the order of the request, all at {@code head}
 * @param head the store's head when it was read
 * @param lastRead the highest position of an event that this read has folded; null if it has folded none
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
        throw new IllegalArgumentException(
                "There is no state of %s; it was not part of the request".formatted(projection));
    }

    /**
     * The condition that guards a decision on these states. It fails once an event is appended that one of the states
     * would fold.
     */
    public AppendCondition appendCondition() {
        Query boundary = states.stream()
                .map(state -> state.projection().query())
                .reduce(Query::or)
                .orElseThrow();
        return AppendCondition.failIfEventsMatch(boundary).after(head);
    }
}
