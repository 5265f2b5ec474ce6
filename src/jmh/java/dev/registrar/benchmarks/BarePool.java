package dev.registrar.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A bare HikariCP pool: the baseline of the bulkheads and guards that the service puts in front of a database. */
public final class BarePool {
    private BarePool() {}

    /** Opens a pool with its first connection, on the database that this process measures. */
    public static HikariDataSource open(int connections) {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(connections);
        config.addDataSourceProperty("prepareThreshold", "1");
        return new HikariDataSource(config);
    }

    /** Opens a pool and waits until all of its connections are open. */
    public static HikariDataSource openAll(int connections) {
        HikariDataSource pool = open(connections);
        while (pool.getHikariPoolMXBean().getTotalConnections() < connections) {
            Thread.onSpinWait();
        }
        return pool;
    }

    /** Executes {@code select 1} and returns its result. */
    public static int select(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
