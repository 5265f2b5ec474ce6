package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.DatabaseProxy;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.Rendezvous.Outcome;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Named resources that an append locks until it has committed. */
class ResourceLocksTest {
    private static final Duration LONG = Duration.ofSeconds(8);
    private static final Duration SHORT = Duration.ofMillis(200);

    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private static StoreDatabase database;
    private static EventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        store = database.newStore();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void an_append_waits_for_a_resource_that_another_session_holds() throws SQLException {
        CompletableFuture<AppendResult> waiting;
        try (Connection holder = holding("room:1")) {
            waiting = CompletableFuture.supplyAsync(() -> store.append(holdingAppend(LONG, "room:1", "room:2")));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            assertThat(waiting).isNotDone();
            holder.rollback();
        }

        assertThat(waiting.join()).isInstanceOf(Appended.class);
    }

    @Test
    void an_append_that_waits_for_a_resource_does_not_block_others() throws SQLException {
        try (Connection holder = holding("room:1")) {
            CompletableFuture<AppendResult> waiting =
                    CompletableFuture.supplyAsync(() -> store.append(holdingAppend(LONG, "room:1")));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);

            assertThat(store.append(List.of(event()))).isInstanceOf(Appended.class);
            assertThat(store.append(holdingAppend(LONG, "room:2"))).isInstanceOf(Appended.class);

            holder.rollback();
            assertThat(waiting.join()).isInstanceOf(Appended.class);
        }
    }

    @Test
    void an_append_that_times_out_waiting_for_resources_appends_nothing() throws SQLException {
        long before = store.count(Query.all());
        try (Connection holder = holding("room:1")) {
            assertThatThrownBy(() -> store.append(holdingAppend(SHORT, "room:0", "room:1")))
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("room:1");
            holder.rollback();
        }

        assertThat(store.count(Query.all())).isEqualTo(before);
        assertThat(store.append(holdingAppend(LONG, "room:0", "room:1"))).isInstanceOf(Appended.class);
    }

    @Test
    void an_append_that_loses_its_connection_while_waiting_waits_again() throws SQLException {
        long before = store.count(Query.all());
        CompletableFuture<AppendResult> waiting;
        try (Connection holder = holding("room:1")) {
            waiting = CompletableFuture.supplyAsync(() -> store.append(holdingAppend(LONG, "room:1")));
            await().until(() -> database.cutWaitingConnections() == 1);
            await().until(() -> database.advisoryLocksWaitedFor() == 1);

            assertThat(waiting).isNotDone();
            holder.rollback();
        }

        assertThat(waiting.join()).isInstanceOf(Appended.class);
        assertThat(store.count(Query.all())).isEqualTo(before + 1);
    }

    /*
     * The test freezes the network of the other instance after each of its first round trips in turn, as if the
     * instance had been stopped there. Locks that it left behind would be held until the server ends its transaction.
     */
    @Test
    void an_instance_that_stops_during_an_append_blocks_no_other_instance() {
        StoreOptions settings = StoreDatabase.settings(Map.of());
        TestDatabase address = database.database();
        try (DatabaseProxy proxy = DatabaseProxy.to(address.url());
                HikariDataSource pool = StoreConnections.open(
                        new StoreAddress(proxy.url(), address.username(), address.password()), settings)) {
            EventStore stopping = new PostgresEventStore(
                    pool, settings, StoreDatabase.context(InstantSource.system(), new CompositeMeterRegistry()));
            await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == pool.getMaximumPoolSize());
            for (int roundTrips = 1; roundTrips <= 3; roundTrips++) {
                proxy.freezeAfterReplies(roundTrips);
                CompletableFuture<AppendResult> stopped =
                        CompletableFuture.supplyAsync(() -> stopping.append(holdingAppend(LONG, "room:1")), THREADS);
                await().until(() -> proxy.isFrozen() || stopped.isDone());

                assertThat(store.append(List.of(event()))).isInstanceOf(Appended.class);
                assertThat(store.append(holdingAppend(SHORT, "room:1"))).isInstanceOf(Appended.class);

                proxy.thaw();
                assertThat(stopped.join()).isInstanceOf(Appended.class);
            }
        }
    }

    @Test
    void waits_for_resources_are_bounded_and_other_appends_continue() throws SQLException {
        EventStore narrow = database.newStore(
                InstantSource.system(), StoreDatabase.settings(Map.of("resource-lock-connections", "2")));
        try (Connection holder = holding("room:1");
                Connection other = holding("room:2")) {
            List<CompletableFuture<AppendResult>> waiting = IntStream.range(0, 10)
                    .mapToObj(i ->
                            CompletableFuture.supplyAsync(() -> narrow.append(holdingAppend(LONG, "room:1")), THREADS))
                    .toList();
            await().until(() -> database.advisoryLocksWaitedFor() == 2);

            assertThat(narrow.append(List.of(event()))).isInstanceOf(Appended.class);
            assertThat(narrow.append(holdingAppend(SHORT, "room:3"))).isInstanceOf(Appended.class);
            assertThatThrownBy(() -> narrow.append(holdingAppend(SHORT, "room:2")))
                    .isInstanceOf(StoreTimeoutException.class);

            holder.rollback();
            other.rollback();
            assertThat(waiting).allSatisfy(append -> assertThat(append.join()).isInstanceOf(Appended.class));
        }
    }

    @Test
    void a_condition_is_judged_while_the_resources_are_held() {
        Append refused = holdingAppend(LONG, "room:1").onCondition(AppendCondition.failIfEventsMatch(Query.all()));
        store.append(List.of(event()));

        assertThat(store.append(refused)).isInstanceOf(Conflict.class);
    }

    /*
     * Each request names its resources in its own order. If they were locked in that order, two requests would
     * deadlock.
     */
    @Test
    void requests_that_name_the_same_resources_in_any_order_do_not_deadlock() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<Outcome<AppendResult>> outcomes = Rendezvous.collide(8, racer -> {
                List<String> names =
                        random.ints(3, 0, 5).mapToObj(i -> "room:" + i).toList();
                return () -> store.append(Append.of(event()).holding(ResourceLocks.of(names, LONG)));
            });

            assertThat(outcomes)
                    .as("seed %s", seed)
                    .allSatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Returned.class,
                                    returned -> assertThat(returned.value()).isInstanceOf(Appended.class)));
        }
    }

    private static Append holdingAppend(Duration timeout, String... names) {
        return Append.of(event()).holding(ResourceLocks.of(List.of(names), timeout));
    }

    private static Event event() {
        return Event.of("Booked", "{}", "desk:1");
    }

    private static Connection holding(String name) throws SQLException {
        Connection holder = database.connect();
        holder.setAutoCommit(false);
        StoreDatabase.lockResources(holder, name);
        return holder;
    }
}
