package com.example;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.tck.EventStoreContract;
import java.time.Duration;
import java.time.InstantSource;

/** Runs the conformance suite, as the implementation of another store would. */
class InMemoryStoreTest extends EventStoreContract {
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
