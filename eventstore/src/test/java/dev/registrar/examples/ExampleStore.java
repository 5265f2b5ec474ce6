package dev.registrar.examples;

import dev.registrar.decision.testkit.SettableClock;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** A store for an example, and the clock that stamps its events. */
final class ExampleStore implements AutoCloseable {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final String name;
    private final EventStore store;
    private final Runnable clear;
    private final Runnable close;
    private final SettableClock clock;

    private ExampleStore(String name, EventStore store, SettableClock clock, Runnable clear, Runnable close) {
        this.name = name;
        this.store = store;
        this.clock = clock;
        this.clear = clear;
        this.close = close;
    }

    static ExampleStore inMemory() {
        SettableClock clock = new SettableClock(NOON);
        InMemoryEventStore store = new InMemoryEventStore(clock);
        return new ExampleStore("in memory", store, clock, store::clear, () -> {});
    }

    static ExampleStore inPostgres() {
        SettableClock clock = new SettableClock(NOON);
        StoreDatabase database = new StoreDatabase();
        EventStore store = database.newStore(clock, StoreDatabase.defaultSettings());
        return new ExampleStore("in PostgreSQL", store, clock, database::clear, database::close);
    }

    /** An empty store, at noon. */
    EventStore emptied() {
        clear.run();
        clock.set(NOON);
        return store;
    }

    EventStore store() {
        return store;
    }

    InstantSource clock() {
        return clock;
    }

    /** Appends events that happened this long before noon. */
    void given(Duration ago, Event... events) {
        clock.set(NOON.minus(ago));
        store.append(List.of(events));
        clock.set(NOON);
    }

    /** Appends events that happened a moment before noon. */
    void given(Event... events) {
        given(Duration.ofSeconds(1), events);
    }

    /** The content of the events of one type, in their order. */
    <T> List<T> happened(Class<T> type) {
        return store.read(Query.of(QueryItem.types(type.getSimpleName()))).stream()
                .map(stored -> Json.data(stored.event(), type))
                .toList();
    }

    @Override
    public void close() {
        close.run();
    }

    @Override
    public String toString() {
        return name;
    }
}
