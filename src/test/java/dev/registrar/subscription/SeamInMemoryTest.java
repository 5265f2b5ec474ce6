package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;

class SeamInMemoryTest extends SeamContract {

    @Override
    EventStore store() {
        return new InMemoryEventStore();
    }
}
