package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.DatabaseProxy;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A store that reaches a real server through a proxy that a test can make fail. */
abstract class ProxiedStoreFixture {
    /** Enough for many losses in a row: after each, the pool opens all of its connections again. */
    static final Map<String, ?> LONG_TIMEOUT = Map.of("breaker.enabled", false, "connection-timeout", "30s");

    static StoreDatabase database;
    final MeterRegistry meters = new SimpleMeterRegistry();
    final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    DatabaseProxy proxy;

    @SuppressWarnings("NullAway.Init") // by begin()
    HikariDataSource pool;

    @SuppressWarnings("NullAway.Init") // by begin()
    PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void connect() {
        database.clear();
        proxy = DatabaseProxy.to(database.database().url());
    }

    @AfterEach
    void disconnect() {
        callers.close();
        if (pool != null) {
            pool.close();
        }
        proxy.close();
    }

    /** Opens the store, with these settings beside those of tests. */
    final void begin(Map<String, ?> some) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "read-connections",
                2,
                "resource-lock-connections",
                1,
                "connection-timeout",
                "10s",
                "retry.delay",
                "5ms"));
        settings.putAll(some);
        StoreOptions bound = StoreDatabase.settings(settings);
        pool = StoreConnections.open(
                new StoreAddress(
                        proxy.url(),
                        database.database().username(),
                        database.database().password()),
                bound);
        store = new PostgresEventStore(pool, bound, StoreDatabase.context(InstantSource.system(), meters));
        // A test with short deadlines starts with open connections.
        await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == pool.getMaximumPoolSize());
        assertThat(store.exists(Query.all())).isFalse();
    }

    static Append append(String payload) {
        return Append.of(Event.of("Happened", payload, "seat:1"));
    }

    double failures(FailureCategory category) {
        return meters.get("registrar.store.failures")
                .tag("category", category.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .counter()
                .count();
    }

    /** An action that fails in the database. */
    interface Mishap {
        void on(Connection connection) throws SQLException;
    }

    static Mishap sql(String... statements) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
        };
    }

    List<String> payloads() {
        return store.read(Query.all()).toList().stream()
                .map(event -> event.event().payload())
                .toList();
    }

    void assertUnavailable() {
        assertThatThrownBy(store::head).isInstanceOf(StoreUnavailableException.class);
    }

    /** Makes calls without a request, as a health check does, until the circuit is closed. */
    void awaitClosedCircuit() {
        await().untilAsserted(() -> {
            store.tryAgain();
            assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
        });
    }
}
