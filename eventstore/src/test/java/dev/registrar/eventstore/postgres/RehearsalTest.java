package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rehearsal does what a store does, on one of its connections, and leaves nothing behind. */
class RehearsalTest {
    private static final StoreOptions OPTIONS =
            StoreDatabase.settings(Map.of("read-connections", 2, "resource-lock-connections", 1));

    private static StoreDatabase database;
    private static PostgresEventStore store;
    private static HikariDataSource pool;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        store = PostgresEventStore.open(database.address(), OPTIONS, StoreContext.standalone());
        pool = StoreDatabase.poolOf(store);
    }

    @AfterAll
    static void close() {
        store.close();
        database.close();
    }

    @BeforeEach
    void empty() {
        database.clear();
    }

    private static AppendResult append(EventStore to) {
        return to.append(Append.of(Event.of("Happened", "{}", "thing:1")));
    }

    @Test
    void a_rehearsal_sees_its_own_events_and_the_store_never_does() {
        append(store);
        try (PostgresEventStore rehearsal = store.rehearsal()) {
            assertThat(append(rehearsal)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
            assertThat(rehearsal.count(Query.all())).isEqualTo(2);
            assertThat(store.count(Query.all())).isOne();
        }

        assertThat(store.count(Query.all())).isOne();
        assertThat(append(store)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @Test
    void appends_wait_for_a_rehearsal_that_has_appended_until_it_is_closed() {
        CompletableFuture<AppendResult> waiting;
        try (PostgresEventStore rehearsal = store.rehearsal()) {
            append(rehearsal);
            waiting = CompletableFuture.supplyAsync(
                    () -> append(store), task -> Thread.ofVirtual().start(task));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
        }

        assertThat(waiting.join()).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
    }

    @Test
    void rehearsals_take_all_connections_and_return_each_as_it_was() {
        List<PostgresEventStore> rehearsals = new ArrayList<>();
        for (int i = 0; i < OPTIONS.connections(); i++) {
            rehearsals.add(store.rehearsal());
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(OPTIONS.connections());
        for (PostgresEventStore rehearsal : rehearsals) {
            try (rehearsal) {
                rehearsal.prepareReads();
                append(rehearsal);
            }
            rehearsal.close();
        }

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        for (int i = 0; i < OPTIONS.connections(); i++) {
            append(store);
        }
        assertThat(store.count(Query.all())).isEqualTo(OPTIONS.connections());
    }

    @Test
    void a_closed_rehearsal_appends_nothing() {
        PostgresEventStore rehearsal = store.rehearsal();
        rehearsal.close();

        assertThatThrownBy(() -> append(rehearsal)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.count(Query.all())).isZero();
    }
}
