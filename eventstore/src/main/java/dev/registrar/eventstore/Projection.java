package dev.registrar.eventstore;

/**
 * A fold of the events that match a query into a state. A projection is pure: it uses no clock and no random numbers,
 * and its states are immutable. Equal projections must yield equal states, so records make good projections.
 */
public interface Projection<S> {

    /** The query for the events that are folded. */
    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event, which must match the query. */
    S apply(S state, SequencedEvent event);
}
