package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class HandoverInPostgresTest extends HandoverContract {
    private StoreDatabase database;
    private PostgresEventStore store;

    @BeforeEach
    void open() {
        database = new StoreDatabase();
        store = database.newStore();
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Override
    EventStore store() {
        return store;
    }
}
