package dev.registrar.eventstore;

/**
 * Empties a store, for load tests: its positions begin at 1 again. What anybody remembered of the store is void then,
 * which {@link Head#incarnation()} tells.
 */
@FunctionalInterface
public interface Clearing {

    /**
     * Forgets every event and every idempotency key, once the appends that are under way are committed.
     *
     * @throws EventStoreException if the database failed; then nothing is forgotten
     */
    void clear();
}
