package dev.registrar.eventstore;

import java.time.Duration;
import java.time.InstantSource;

class InMemoryEventStoreTest extends EventStoreContract {

    @Override
    protected EventStore newStore(InstantSource clock) {
        return new InMemoryEventStore(clock);
    }

    @Override
    protected void ageKeys(Duration time) {
        clock().advance(time);
    }

    @Override
    protected void clear(EventStore store) {
        ((InMemoryEventStore) store).clear();
    }

    @Override
    protected void setBackTo(EventStore store, Position last) {
        ((InMemoryEventStore) store).setBackTo(last);
    }
}
