package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;

/**
 * Something a decision must know, folded from domain events, and named so that several decisions share it. A record
 * with the ids that it is about makes a good fact: two equal facts have the same state.
 *
 * @param <E> the domain's events
 * @param <S> an immutable state, small and of bounded size
 */
public interface Fact<E, S> {

    /** The events that the state follows from. */
    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event. It must be pure: the clock comes in with the decision. */
    S apply(S state, E event);

    /** The fact as a projection, for who looks at it without deciding. */
    default Projection<S> decodedBy(EventCodec<E> codec) {
        return new DecodedFact<>(this, codec);
    }

    /**
     * How much room a state takes where states are kept, in KiB, 1 or more: 1 will do for a few short fields, together
     * with all that is kept beside them. A fact whose states hold collections adds what those take.
     */
    default int weight(S state) {
        return 1;
    }
}
