package dev.registrar.decision;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.StateAt;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A cache of the states of facts, each at some head. It also keeps the intermediate states of unfinished folds. */
final class StateCache<E> {
    /*
     * Why a cached state is safe: events change only by an erasure, and then all states go: those that a decision has
     * folded before it may still come, and are not kept. So a state stays exact at the head where it was folded, as long
     * as the store has that head, and adds no tag to events up to there. The store checks this whenever the state is
     * brought up to date and whenever an append depends on it. So a lost connection or a failover need not empty the cache. States that contain events which were
     * not appended are never cached.
     *
     * Intermediate states are kept separately. No decision may be made on them, and frequently used states must not
     * evict them before the next read continues the fold.
     */
    private static final long UNFINISHED_WEIGHT = 16_384;

    private final Cache<Projection<?>, StateAt<?>> states;
    private final Cache<Projection<?>, StateAt<?>> unfinished;
    private volatile @Nullable UUID incarnation;
    private volatile long erasures;

    /**
     * Creates a cache with a maximum total weight.
     *
     * @param weight the sum of the weights of the finished states, see {@link Fact#weight}; 0 keeps none
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

    /** The cached states of all facts, which may be at different heads; empty if the state of any fact is missing. */
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

    /**
     * The state from which the fold of a fact continues: its latest cached or intermediate state, otherwise its initial
     * state. A fold that has begun again, as the cached state was lost, was read later than that.
     */
    StateAt<?> get(DecodedFact<E, ?> fact) {
        StateAt<?> known = states.getIfPresent(fact);
        StateAt<?> begun = unfinished.getIfPresent(fact);
        if (begun != null
                && (known == null
                        || begun.position().isAfter(known.position())
                        || readAt(begun).isAfter(readAt(known)))) {
            return begun;
        }
        return known == null ? StateAt.initial(fact) : known;
    }

    private static Position readAt(StateAt<?> state) {
        Head read = state.read();
        return read == null ? Position.START : read.position();
    }

    /** Keeps the intermediate states of an unfinished fold. */
    void noteProgress(List<StateAt<?>> onTheWay) {
        onTheWay.forEach(state -> put(unfinished, state));
    }

    /* A state that is put beside an erasure is removed by one of the two. */
    private void put(Cache<Projection<?>, StateAt<?>> cache, StateAt<?> state) {
        Projection<?> fact = state.projection();
        cache.put(fact, state);
        if (((DecodedFact<?, ?>) fact).erasures() != erasures) {
            cache.invalidate(fact);
        }
    }

    void remember(StateAt<?> state) {
        Head head = state.head();
        if (head != null && !head.incarnation().equals(incarnation)) {
            forgetAll();
            incarnation = head.incarnation();
        }
        unfinished.invalidate(state.projection());
        put(states, state);
    }

    /**
     * Forgets all states that were folded before an erasure. Concurrent calls take turns, so the last one has read the
     * latest number.
     *
     * @param last the number of the last erasure, read at the call
     */
    synchronized void erased(LongSupplier last) {
        erasures = last.getAsLong();
        forgetAll();
    }

    private void forgetAll() {
        states.invalidateAll();
        unfinished.invalidateAll();
    }
}
