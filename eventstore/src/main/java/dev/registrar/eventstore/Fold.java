package dev.registrar.eventstore;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds events into the states of projections. All stores use this class, so that they agree on which state sees which
 * event. Not thread-safe.
 */
public final class Fold {
    private final List<StateAt<?>> states;
    /** Evaluated once, because many projections create their query on each call. */
    private final List<Query> queries;

    private @Nullable Position lastRead;

    /** Starts from states that may be at different heads. */
    public Fold(List<? extends StateAt<?>> known) {
        this.states = new ArrayList<>(known);
        this.queries = known.stream().map(state -> state.projection().query()).toList();
    }

    /**
     * Applies an event to each state that has not seen it and whose query it matches.
     *
     * @param event an event at a higher position than the previous one
     * @return whether the event was applied to a state
     */
    public boolean add(SequencedEvent event) {
        boolean applied = false;
        for (int i = 0; i < queries.size(); i++) {
            StateAt<?> state = states.get(i);
            if (event.position().isAfter(state.position()) && queries.get(i).matches(event.event())) {
                states.set(i, state.apply(event));
                applied = true;
            }
        }
        if (applied) {
            lastRead = event.position();
        }
        return applied;
    }

    /**
     * The intermediate states, in case the read does not finish.
     *
     * @param last the last added event, as a head: it identifies the history up to that event, like the head of a store
     *     that ends there
     * @param read the head of the read
     */
    public List<StateAt<?>> reached(Head last, Head read) {
        return states.stream()
                .<StateAt<?>>map(state -> state.atLeastAt(last, read))
                .toList();
    }

    /** The states at the head of the read, after its last event. */
    public Projected end(Head head) {
        states.replaceAll(state -> state.at(head));
        return new Projected(states, head, lastRead);
    }
}
