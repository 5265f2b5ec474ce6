package dev.registrar.eventstore;

import dev.registrar.eventstore.tck.AppendSourceContract;
import dev.registrar.eventstore.tck.ChainContract;
import dev.registrar.eventstore.tck.EventStoreContract;
import java.time.Duration;
import java.time.InstantSource;

class InMemoryEventStoreTest extends EventStoreContract implements ChainContract, AppendSourceContract {

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
