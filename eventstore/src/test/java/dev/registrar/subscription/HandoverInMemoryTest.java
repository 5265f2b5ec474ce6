package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;

class HandoverInMemoryTest extends HandoverContract {

    @Override
    EventStore store() {
        return new InMemoryEventStore();
    }
}
