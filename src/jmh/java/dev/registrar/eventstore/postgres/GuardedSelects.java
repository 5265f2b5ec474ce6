package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Deadline;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Map;

/** {@code select 1} as the store reads: by way of deadline, budget, circuit breaker and retry. */
public final class GuardedSelects implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final HikariDataSource connections;
    private final Database database;

    /**
     * Opens the store's pool.
     *
     * @param readConnections as many as may select at a time
     */
    public GuardedSelects(String url, String username, String password, int readConnections) {
        StoreSettings settings = StoreDatabase.settings(Map.of(
                "read-connections", readConnections, "resource-lock-connections", 1, "connection-timeout", "60s"));
        this.connections = StoreConnections.open(url, username, password, settings);
        this.database = new Database(connections, settings, new StoreMeters(new SimpleMeterRegistry()));
    }

    /** Asks once, as a request with a deadline does. */
    public int select() {
        Deadline.set(DEADLINE);
        try {
            return database.run("select 1", statement -> {
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getInt(1);
                }
            });
        } finally {
            Deadline.clear();
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
