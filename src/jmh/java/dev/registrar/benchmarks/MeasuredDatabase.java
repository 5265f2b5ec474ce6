package dev.registrar.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The database that a benchmark measures. A measuring process receives it as system properties.
 *
 * @param service the system properties of the service that runs on it; empty if there is none
 */
public record MeasuredDatabase(
        String url, String username, String password, Template template, Map<String, String> service) {
    /** The default schema of the store. */
    public static final String STORE_SCHEMA = "registrar";

    static final String PREFIX = "registrar.benchmark.";

    public MeasuredDatabase {
        service = Map.copyOf(service);
    }

    /** Returns the database that this process measures. */
    public static MeasuredDatabase ofThisProcess() {
        return new MeasuredDatabase(
                property("url"),
                property("username"),
                property("password"),
                Template.valueOf(property("template")),
                Map.of());
    }

    MeasuredDatabase with(ServiceProcess running) {
        return new MeasuredDatabase(url, username, password, template, running.asProperties());
    }

    /** Returns the system properties that pass the database to another process. */
    public Map<String, String> asProperties() {
        Map<String, String> properties = new TreeMap<>(service);
        properties.put(PREFIX + "url", url);
        properties.put(PREFIX + "username", username);
        properties.put(PREFIX + "password", password);
        properties.put(PREFIX + "template", template.name());
        return properties;
    }

    /** Returns the JVM options of a process that measures it. */
    public List<String> javaOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx1g"));
        asProperties().forEach((name, value) -> options.add("-D%s=%s".formatted(name, value)));
        return options;
    }

    /** Returns the events of its template. */
    public Contents contents() {
        return template.contents();
    }

    /** Opens a connection outside any pool. */
    public Connection connect() throws SQLException {
        return dataSource().getConnection();
    }

    DataSource dataSource() {
        return new DriverManagerDataSource(url, username, password);
    }

    private JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource());
    }

    /** Executes a statement outside any pool. */
    public void execute(String sql) {
        jdbc().execute(sql);
    }

    /** Returns the number that a query finds. */
    public long number(String sql) {
        return Objects.requireNonNull(jdbc().queryForObject(sql, Long.class), sql);
    }

    /** Returns what the sessions of the database see as a setting. */
    String setting(String name) {
        return Objects.requireNonNull(jdbc().queryForObject("select current_setting(?)", String.class, name), name);
    }

    /**
     * Returns the server if it runs on this machine outside a container. Each session is a process of its own below it.
     */
    Optional<ProcessHandle> server() {
        try (Connection connection = connect()) {
            return ProcessHandle.of(connection.unwrap(PGConnection.class).getBackendPID())
                    .filter(MeasuredDatabase::isPostgres)
                    .flatMap(ProcessHandle::parent);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /* From Linux's /proc. A number of a container's process may be that of another process here. */
    private static boolean isPostgres(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/%s/comm".formatted(process.pid())))
                    .startsWith("postgres");
        } catch (IOException notHere) {
            return false;
        }
    }

    /** Returns the arguments of a service that runs on it. */
    public List<String> serviceArguments() {
        return List.of(
                "--logging.level.root=warn",
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + username,
                "--spring.datasource.password=" + password,
                "--registrar.enrollment.tag-secret=of-the-benchmarks-and-of-no-other-service");
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

    static String property(String name) {
        String value = System.getProperty(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(
                    "%s%s is not set: start benchmarks with the program Benchmarks".formatted(PREFIX, name));
        }
        return value;
    }
}
