package dev.registrar.http.dcb;

/** Empties the event store, for load tests: positions begin at 1 again, and the store has a new incarnation. */
@FunctionalInterface
public interface StoreClearing {

    /**
     * Removes every event and every idempotency key, after the appends under way have committed.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed; nothing is removed then
     */
    void clear();
}
