package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Map;

/** Executes selects like the store's reads: with deadline, bulkhead, circuit breaker and retry. */
final class GuardedSelects implements AutoCloseable {
    private final Database database;
    private final Duration deadline;

    /** Opens the store's pool. */
    GuardedSelects(StoreOptions settings, Duration deadline) {
        MeasuredDatabase measured = MeasuredDatabase.ofThisProcess();
        StoreAddress address = new StoreAddress(measured.url(), measured.username(), measured.password());
        this.database = Database.open(address, settings, new SimpleMeterRegistry(), () -> false);
        this.deadline = deadline;
    }

    /** The settings for a number of concurrent selects. */
    static StoreOptions settings(int selects) {
        return StoreDatabase.serviceSettings(
                Map.of("read-connections", selects, "resource-lock-connections", 1, "connection-timeout", "60s"));
    }

    /** Executes a statement that returns a number, like a request with a deadline. */
    int select(String sql) {
        return Deadline.within(
                deadline,
                () -> database.run(sql, statement -> {
                    try (ResultSet row = statement.executeQuery()) {
                        row.next();
                        return row.getInt(1);
                    }
                }));
    }

    CircuitBreaker.State circuit() {
        return database.breaker().getState();
    }

    @Override
    public void close() {
        database.close();
    }
}
