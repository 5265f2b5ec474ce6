package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The answer of an append whose wait for a synchronous standby ends early. The transaction has already committed on the
 * primary, and the server reports success with a warning, but a failover can still lose it.
 *
 * <p>The server of this test waits for a standby that does not exist, on the store's connections alone.
 */
@Tag("thorough")
class StandbyWaitTest {
    private static EmbeddedPostgres server;
    private static StoreDatabase database;

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private HikariDataSource pool;
    private PostgresEventStore store;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                // Only the store's own connections wait for the standby.
                .setServerConfig("synchronous_commit", "local")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        // A setting from the command line could not be changed later.
        database = new StoreDatabase(TestDatabase.createOn(new TestServer(
                "own", "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(server.getPort()), "postgres", "")));
        requireStandby("missing");
        awaitFirstWait();
    }

    private static void requireStandby(String name) {
        database.execute("alter system set synchronous_standby_names = '%s'".formatted(name));
        database.execute("select pg_reload_conf()");
    }

    /* The server applies changed settings after a moment. */
    private static void awaitFirstWait() throws SQLException {
        AtomicBoolean waits = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!waits.get()) {
                // The connection goes back to its pool without the setting.
                database.execute("begin; set local synchronous_commit = on;"
                        + " select pg_logical_emit_message(true, 'any', 'write'); commit");
            }
        });
        await().until(() -> waiting() == 1);
        waits.set(true);
        endWaits("pg_cancel_backend");
        writer.join();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        database.clear();
        open("?options=-c%20synchronous_commit=on&queryTimeout=7");
    }

    private void open(String parameters) {
        StoreOptions settings = StoreDatabase.defaultSettings();
        TestDatabase address = database.database();
        pool = StoreConnections.open(
                new StoreAddress(address.url() + parameters, address.username(), address.password()), settings);
        store = new PostgresEventStore(pool, settings, StoreDatabase.context(InstantSource.system(), meters));
    }

    @AfterEach
    void disconnect() throws SQLException {
        endWaits("pg_terminate_backend");
        callers.close();
        pool.close();
    }

    /* The driver would cancel the statement and so the wait. */
    @Test
    void the_driver_sets_no_time_limit_on_appends_regardless_of_the_url() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.getQueryTimeout()).isZero();
        }
    }

    @Test
    void a_cancelled_wait_for_the_standby_is_not_reported_as_success() throws SQLException {
        CompletableFuture<AppendResult> append = begin(() -> store.append(append("{}")));

        endWaits("pg_cancel_backend");

        assertThatThrownBy(append::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void a_terminated_wait_for_the_standby_is_not_reported_as_success() throws SQLException {
        CompletableFuture<AppendResult> append = begin(() -> store.append(append("{}")));

        endWaits("pg_terminate_backend");

        assertThatThrownBy(append::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void every_request_of_a_group_reports_an_unknown_outcome() throws SQLException {
        CompletableFuture<AppendResult> first = begin(() -> store.append(append("1")));
        List<CompletableFuture<AppendResult>> group = Stream.of("2", "3", "4")
                .map(payload -> call(() -> store.append(append(payload))))
                .toList();
        await().until(() -> meters.get("registrar.store.queue.size").gauge().value() == 3);
        endWaits("pg_cancel_backend");
        assertThatThrownBy(first::join).hasCauseInstanceOf(OutcomeUnknownException.class);

        await().until(() -> waiting() == 1);
        endWaits("pg_cancel_backend");

        assertThat(group)
                .allSatisfy(
                        member -> assertThatThrownBy(member::join).hasCauseInstanceOf(OutcomeUnknownException.class));
        assertThat(store.count(Query.all())).isEqualTo(4);
    }

    @Test
    void an_append_with_resource_locks_reports_an_unknown_outcome() throws SQLException {
        Append holding = append("{}").holding(ResourceLocks.of(List.of("room:1"), Duration.ofSeconds(5)));
        CompletableFuture<AppendResult> append = begin(() -> store.append(holding));

        endWaits("pg_cancel_backend");

        assertThatThrownBy(append::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    /* The primary has the key but a failover can lose it: the answer to the repetition is an acknowledgement too. */
    @Test
    void a_repetition_is_answered_when_the_standby_has_the_first_append() throws SQLException {
        IdempotencyKey key = new IdempotencyKey("key", "same");
        CompletableFuture<AppendResult> append =
                begin(() -> store.append(append("{}").under(key)));
        endWaits("pg_cancel_backend");
        await().until(() -> waiting() == 1);
        CompletableFuture<Optional<Appended>> lookUp = call(() -> store.appendedUnder(key));
        await().until(() -> waiting() == 2);
        assertThat(append).isNotDone();
        assertThat(lookUp).isNotDone();

        requireStandby("");
        assertThat(append.join())
                .isInstanceOfSatisfying(
                        Appended.class,
                        appended -> assertThat(appended.repeated()).isTrue());
        assertThat(lookUp.join()).isPresent();
        requireStandby("missing");
        awaitFirstWait();
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    /* Begins an append, which waits for the standby when this method returns. */
    private CompletableFuture<AppendResult> begin(Supplier<AppendResult> append) {
        CompletableFuture<AppendResult> begun = call(append);
        await().until(() -> waiting() == 1);
        return begun;
    }

    private <T> CompletableFuture<T> call(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, callers);
    }

    private static Append append(String payload) {
        return Append.of(Event.of("Happened", payload, "seat:1"));
    }

    private static long waiting() throws SQLException {
        return waiting("count(*)");
    }

    /* Ends all waits with an administration function of the server. */
    private static void endWaits(String function) throws SQLException {
        waiting("count(%s(pid))".formatted(function));
    }

    private static long waiting(String what) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select %s from pg_stat_activity where wait_event = 'SyncRep'".formatted(what))) {
            row.next();
            return row.getLong(1);
        }
    }
}
