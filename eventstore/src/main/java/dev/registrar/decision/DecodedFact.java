package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fact as a projection of stored events, with the current and former names of their types. Instances are equal if
 * their facts and codecs are, and the erasures before them: what was folded before an erasure is not used after it.
 */
final class DecodedFact<E, S> implements Projection<S> {
    private final Fact<E, S> fact;
    private final EventCodec<E> codec;
    private final long erasures;
    private final Query query;

    /** @param erasures the number of the last erasure that the store knows; 0 if it cannot erase */
    DecodedFact(Fact<E, S> fact, EventCodec<E> codec, long erasures) {
        this.fact = fact;
        this.codec = codec;
        this.erasures = erasures;
        this.query = codec.withFormerTypes(fact.query());
    }

    @Override
    public Query query() {
        return query;
    }

    @Override
    public S initial() {
        return fact.initial();
    }

    @Override
    public S apply(S state, SequencedEvent event) {
        return codec.decodeForDecision(event)
                .map(readable -> fact.apply(state, readable))
                .orElse(state);
    }

    /** A state of this fact after one more event, which is already decoded. The head of the state does not change. */
    @SuppressWarnings("unchecked") // a state is of its projection's own type
    StateAt<S> after(StateAt<?> before, E event) {
        return new StateAt<>(this, fact.apply((S) before.state(), event), before.head(), before.events() + 1);
    }

    long erasures() {
        return erasures;
    }

    int weight(S state) {
        return fact.weight(state);
    }

    /** How states of this fact are stored; empty if they are not. */
    Optional<StoredForm<S>> storedForm() {
        return fact.storedForm();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DecodedFact<?, ?> that
                && erasures == that.erasures
                && fact.equals(that.fact)
                && codec.equals(that.codec);
    }

    @Override
    public int hashCode() {
        return fact.hashCode();
    }

    @Override
    public String toString() {
        return fact.toString();
    }
}
