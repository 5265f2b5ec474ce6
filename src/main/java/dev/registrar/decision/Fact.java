package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;

/**
 * A part of what a decision must know, folded from domain events, and shared by several decisions. A record with the
 * ids that it is about makes a good fact: equal facts have equal states.
 *
 * @param <E> the domain's events
 * @param <S> an immutable state, small and of bounded size
 */
public interface Fact<E, S> {

    /**
     * The events that the state follows from. Ask for as little as the rule needs: what the query matches is what the
     * decision conflicts with.
     */
    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event. It must be pure; the time comes in with the decision. */
    S apply(S state, E event);

    /** The fact as a projection, for a look-up without a decision. */
    default Projection<S> decodedBy(EventCodec<E> codec) {
        return new DecodedFact<>(this, codec);
    }

    /**
     * The memory of a cached state in KiB, 1 or more: 1 for a few short fields, with all that is cached beside them. A
     * fact whose states hold collections adds their size.
     */
    default int weight(S state) {
        return 1;
    }
}
