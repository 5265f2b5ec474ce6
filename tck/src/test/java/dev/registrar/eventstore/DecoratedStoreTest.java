package dev.registrar.eventstore;

import dev.registrar.eventstore.tck.EventStoreContract;
import java.time.Duration;
import java.time.InstantSource;

/** A store that implements only the basic contract passes the suite, which requires neither chains nor listeners. */
class DecoratedStoreTest extends EventStoreContract {
    private InMemoryEventStore memory = new InMemoryEventStore();

    private static final class Decorated extends ForwardingEventStore {
        private Decorated(EventStore store) {
            super(store);
        }
    }

    @Override
    protected EventStore newStore(InstantSource clock) {
        memory = new InMemoryEventStore(clock);
        return new Decorated(memory);
    }

    @Override
    protected void ageKeys(Duration time) {
        clock().advance(time);
    }

    @Override
    protected void clear(EventStore store) {
        memory.clear();
    }

    @Override
    protected void setBackTo(EventStore store, Position last) {
        memory.setBackTo(last);
    }
}
