package dev.registrar.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The database that a benchmark measures. A measuring process receives it as system properties.
 *
 * @param few whether the template contains few events
 */
public record MeasuredDatabase(String url, String username, String password, Template template, boolean few) {
    /** The default schema of the store. */
    public static final String STORE_SCHEMA = "registrar";

    private static final String PREFIX = "registrar.benchmark.";

    /** Returns the database that this process measures. */
    public static MeasuredDatabase ofThisProcess() {
        return new MeasuredDatabase(
                property("url"),
                property("username"),
                property("password"),
                Template.valueOf(property("template")),
                Boolean.parseBoolean(property("few")));
    }

    /** Returns the system properties that pass the database to another process. */
    public Map<String, String> asProperties() {
        return Map.of(
                PREFIX + "url", url,
                PREFIX + "username", username,
                PREFIX + "password", password,
                PREFIX + "template", template.name(),
                PREFIX + "few", Boolean.toString(few));
    }

    /** Returns the JVM options of a process that measures it. */
    public List<String> javaOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx1g"));
        asProperties().forEach((name, value) -> options.add("-D%s=%s".formatted(name, value)));
        return options;
    }

    /** Returns the events of its template. */
    public Contents contents() {
        return template.contents(few);
    }

    /** Opens a connection outside any pool. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, username, password);
    }

    /** Executes a statement outside any pool. */
    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Returns the settings of a bare HikariCP pool, whose driver prepares each statement. */
    public HikariConfig pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(username);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(60_000);
        config.addDataSourceProperty("prepareThreshold", "1");
        return config;
    }

    /** Opens a bare pool and waits until all of its connections are open. */
    public HikariDataSource openPool(int connections) {
        HikariDataSource pool = new HikariDataSource(pool(connections));
        while (pool.getHikariPoolMXBean().getTotalConnections() < connections) {
            Thread.onSpinWait();
        }
        return pool;
    }

    private static String property(String name) {
        String value = System.getProperty(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(
                    "%s%s is not set: start benchmarks with the program Benchmarks".formatted(PREFIX, name));
        }
        return value;
    }
}
