package dev.registrar.decision;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.StateAt;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The states of facts, each as it was at some head, and how far those have come that are still being folded. */
final class StateCache<E> {
    /*
     * Why nothing here can mislead: events never change, so a state is true for ever at the head where it was folded, as
     * long as the store has that head, which the store itself looks at whenever the state is brought up to date and
     * whenever an append rests on it. So neither a lost connection nor a failover makes it necessary to forget them. States
     * that rest on events which have not been accepted do not come here.
     *
     * A state that is not folded to the end yet is kept apart: no decision is to be made on it, and states that many ask for
     * must not displace it before its next read goes on with it.
     */
    private static final long UNFINISHED_WEIGHT = 8_192;

    private final Cache<Projection<?>, StateAt<?>> states;
    private final Cache<Projection<?>, StateAt<?>> unfinished;
    private volatile @Nullable UUID incarnation;

    /**
     * A cache of so many states of weight 1, or fewer that are heavier.
     *
     * @param weight 0 keeps none
     */
    StateCache(long weight) {
        this.states = cache(weight);
        this.unfinished = cache(UNFINISHED_WEIGHT);
    }

    private static Cache<Projection<?>, StateAt<?>> cache(long weight) {
        return Caffeine.newBuilder()
                .maximumWeight(weight)
                .<Projection<?>, StateAt<?>>weigher((projection, state) -> weight(state))
                .executor(Runnable::run)
                .build();
    }

    @SuppressWarnings("unchecked") // a state is of its projection's own type
    private static <S> int weight(StateAt<S> state) {
        return Math.max(1, ((DecodedFact<?, S>) state.projection()).weight(state.state()));
    }

    /** The states of facts, each at a head of its own; nothing if one of them is not known at any. */
    List<StateAt<?>> allOf(List<? extends DecodedFact<E, ?>> facts) {
        List<StateAt<?>> known = new ArrayList<>(facts.size());
        for (DecodedFact<E, ?> fact : facts) {
            StateAt<?> state = states.getIfPresent(fact);
            if (state == null) {
                return List.of();
            }
            known.add(state);
        }
        return known;
    }

    /** The state from which a fact is to be folded on: its initial one if none is known. */
    StateAt<?> get(DecodedFact<E, ?> fact) {
        StateAt<?> known = states.getIfPresent(fact);
        StateAt<?> begun = unfinished.getIfPresent(fact);
        if (begun != null && (known == null || begun.position().isAfter(known.position()))) {
            return begun;
        }
        return known == null ? StateAt.initial(fact) : known;
    }

    /** Notes how far states have come that are being folded. */
    void noteProgress(List<StateAt<?>> onTheWay) {
        onTheWay.forEach(state -> unfinished.put(state.projection(), state));
    }

    void remember(StateAt<?> state) {
        Head head = state.head();
        if (head != null && !head.incarnation().equals(incarnation)) {
            forgetAll();
            incarnation = head.incarnation();
        }
        unfinished.invalidate(state.projection());
        states.put(state.projection(), state);
    }

    private void forgetAll() {
        states.invalidateAll();
        unfinished.invalidateAll();
    }
}
