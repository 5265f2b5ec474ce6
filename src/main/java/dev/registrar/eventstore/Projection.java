package dev.registrar.eventstore;

/**
 * A state that follows from the events that match a query. It is pure: neither clock nor chance, and states are
 * immutable values. Two projections that are equal yield the same state, so records make good projections.
 */
public interface Projection<S> {

    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event, which matches the query. */
    S apply(S state, SequencedEvent event);
}
