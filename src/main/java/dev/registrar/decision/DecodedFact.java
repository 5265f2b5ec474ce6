package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;

/** A fact as a projection of the store's events. */
record DecodedFact<E, S>(Fact<E, S> fact, EventCodec<E> codec) implements Projection<S> {

    @Override
    public Query query() {
        return fact.query();
    }

    @Override
    public S initial() {
        return fact.initial();
    }

    @Override
    public S apply(S state, SequencedEvent event) {
        return fact.apply(
                state, codec.decode(event.event().type(), event.event().payload()));
    }
}
