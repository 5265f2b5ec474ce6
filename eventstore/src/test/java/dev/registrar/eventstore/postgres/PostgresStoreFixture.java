package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Event;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A store in PostgreSQL, emptied before each test. */
abstract class PostgresStoreFixture {
    static StoreDatabase database;
    static PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        store = database.newStore();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.clear();
    }

    static Event event() {
        return Event.of("Noted", "{}", "note:1");
    }
}
