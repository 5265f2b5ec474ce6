package dev.registrar.eventstore;

import java.util.Optional;

/**
 * A store that also keeps states of projections, one for each key, so that a fresh process need not fold a long history
 * from its first event. A stored state only saves time. {@link EventStore#project} checks its head, like that of any
 * other state.
 */
public interface StateStore {
    /** The maximum length of the text of a state, in characters. */
    int MAX_STATE_LENGTH = 32 * 1024 * 1024;

    /**
     * A stored state.
     *
     * @param key the name of what the state is about
     * @param version of the code that has folded it
     * @param head the head up to which it is folded, of a store with at least one event
     * @param events the number of events that were folded since the initial state
     * @param state the state as a text
     * @param erasures {@link ErasingEventStore#erasures} before the state was folded; 0 if the store cannot erase
     */
    record StoredState(String key, String version, Head head, long events, String state, long erasures) {}

    /**
     * The stored state of a key and a version; empty if there is none, if the store has lost its head, or if a tag that
     * the query of its fact names was added to events after it.
     */
    Optional<StoredState> storedState(String key, String version, Query query);

    /**
     * Stores a state, unless the store has a later one of the same key and version, whose head it still has, or events
     * were erased since the state was folded.
     *
     * @return whether it was stored
     * @throws RefusedInputException if the text of the state is longer than {@link #MAX_STATE_LENGTH}
     */
    boolean store(StoredState state);

    /** Deletes all stored states, and returns how many there were. */
    int deleteStoredStates();
}
