package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Map;

/** Executes {@code select 1} like the store's reads: with deadline, bulkhead, circuit breaker and retry. */
public final class GuardedSelects implements AutoCloseable {
    private static final Duration FULL_DEADLINE = Duration.ofSeconds(10);

    private final HikariDataSource connections;
    private final Database database;
    private final Duration deadline;

    /** Opens the store's pool for selects with a deadline of 10 s. */
    public GuardedSelects(String url, String username, String password, int readConnections) {
        this(url, username, password, readConnections, FULL_DEADLINE);
    }

    /**
     * Opens the store's pool.
     *
     * @param readConnections the maximum number of concurrent selects
     * @param deadline of each select; the store sends a deadline to the server only if it is shorter than half of the
     *     statement time-out of 10 s
     */
    public GuardedSelects(String url, String username, String password, int readConnections, Duration deadline) {
        this(url, username, password, settings(readConnections), deadline);
    }

    private GuardedSelects(String url, String username, String password, StoreOptions settings, Duration deadline) {
        this.deadline = deadline;
        this.connections = StoreConnections.open(new StoreAddress(url, username, password), settings);
        this.database = StoreDatabase.on(connections, settings, new CompositeMeterRegistry());
    }

    /** Opens the store's pool without retries, behind a circuit breaker that stays open for this time. */
    public static GuardedSelects withBreaker(String url, String username, String password, Duration openFor) {
        StoreOptions settings = StoreDatabase.serviceSettings(
                Map.of("breaker.open-for", openFor.toMillis() + "ms", "retry.max-retries", 0));
        return new GuardedSelects(url, username, password, settings, FULL_DEADLINE);
    }

    private static StoreOptions settings(int readConnections) {
        return StoreDatabase.serviceSettings(Map.of(
                "read-connections", readConnections, "resource-lock-connections", 1, "connection-timeout", "60s"));
    }

    /** Returns the size of the store's pool for a number of concurrent selects. */
    public static int connections(int readConnections) {
        return settings(readConnections).connections();
    }

    /** Executes one select like a request with a deadline. */
    public int select() {
        return select("select 1");
    }

    /** Executes a statement that returns a number, like {@link #select()}. */
    public int select(String sql) {
        return Deadline.within(
                deadline,
                () -> database.run(sql, statement -> {
                    try (ResultSet row = statement.executeQuery()) {
                        row.next();
                        return row.getInt(1);
                    }
                }));
    }

    /** Returns the state of the circuit breaker. */
    public CircuitBreaker.State circuit() {
        return database.breaker().getState();
    }

    @Override
    public void close() {
        connections.close();
        database.close();
    }
}
