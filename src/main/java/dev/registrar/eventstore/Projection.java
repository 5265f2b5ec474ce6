package dev.registrar.eventstore;

/**
 * A state that follows from the events that match a query. A projection is pure: it uses neither a clock nor random
 * numbers, and its states are immutable. Equal projections yield equal states, so records make good projections.
 */
public interface Projection<S> {

    /** The events that the state follows from. */
    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event, which matches the query. */
    S apply(S state, SequencedEvent event);
}
