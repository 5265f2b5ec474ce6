package dev.registrar.eventstore;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of projections while events are folded into them. Every store folds with it, so that all stores agree on
 * which state sees which event. For use by one thread.
 */
public final class Fold {
    private final List<StateAt<?>> states;
    /** Evaluated once: many projections make their query anew on each call. */
    private final List<Query> queries;

    private @Nullable Position lastRead;

    /** Begins with states that may stand at different heads. */
    public Fold(List<? extends StateAt<?>> known) {
        this.states = new ArrayList<>(known);
        this.queries = known.stream().map(state -> state.projection().query()).toList();
    }

    /**
     * Applies an event to each state that has not seen it and whose query it matches.
     *
     * @param event whose position is higher than that of the event before
     * @return whether it changed a state
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
     * The states so far, for the case that the read does not come to its end.
     *
     * @param last the event that was added last, as a head: it proves the history up to it, as the store's last event
     *     would if the store ended there
     */
    public List<StateAt<?>> reached(Head last) {
        return states.stream().<StateAt<?>>map(state -> state.atLeastAt(last)).toList();
    }

    /** The states at the head of the read, after its last event. */
    public Projected end(Head head) {
        states.replaceAll(state -> state.at(head));
        return new Projected(states, head, lastRead);
    }
}
