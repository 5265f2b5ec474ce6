package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of one or several projections, all of one snapshot of the store.
 *
 * @param states in the order asked for, all at {@code head}; handed to {@code project} again, they are brought up to
 *     date
 * @param head where the states stand
 * @param lastRead the highest position of the events that were folded in this read; null if none was
 */
public record Projected(
        List<StateAt<?>> states, Head head, @Nullable Position lastRead) {
    public Projected {
        states = List.copyOf(states);
    }

    /** The state of a projection that was asked for. */
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
     * Guards a decision that rests on these states: it fails as soon as an event that any of them folds is appended.
     */
    public AppendCondition appendCondition() {
        Query boundary = states.stream()
                .map(state -> state.projection().query())
                .reduce(Query::or)
                .orElseThrow();
        return AppendCondition.failIfEventsMatch(boundary).after(head);
    }
}
