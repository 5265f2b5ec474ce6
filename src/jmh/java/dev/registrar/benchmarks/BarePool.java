package dev.registrar.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The yardstick of what stands in front of a database: a HikariCP pool and nothing else. */
public final class BarePool {
    private BarePool() {}

    /** A pool with its first connection, on the database that this process is to measure. */
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

    /** A pool with all of its connections. */
    public static HikariDataSource openAll(int connections) {
        HikariDataSource pool = open(connections);
        while (pool.getHikariPoolMXBean().getTotalConnections() < connections) {
            Thread.onSpinWait();
        }
        return pool;
    }

    /** What the database answers to {@code select 1}. */
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
