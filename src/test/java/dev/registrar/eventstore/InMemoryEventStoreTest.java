package dev.registrar.eventstore;

import java.time.InstantSource;

class InMemoryEventStoreTest extends EventStoreContract {

    @Override
    protected EventStore newStore(InstantSource clock) {
        return new InMemoryEventStore(clock);
    }

    @Override
    protected void clear(EventStore store) {
        ((InMemoryEventStore) store).clear();
    }
}
