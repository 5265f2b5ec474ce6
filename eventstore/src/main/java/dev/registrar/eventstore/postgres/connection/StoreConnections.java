package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The store's own connection pool, with session settings for its few, short statements. */
public final class StoreConnections {
    /** The time-out for the validation of an idle connection. */
    private static final Duration LONGEST_VALIDATION = Duration.ofSeconds(1);

    /** What a session relies on, whatever the defaults of the server, the database and the role are. */
    private static final Map<String, String> UNLIMITED = unlimited();

    private StoreConnections() {}

    private static Map<String, String> unlimited() {
        Map<String, String> session = new LinkedHashMap<>();
        session.put("default_transaction_isolation", "read committed");
        // The driver sends the time zone of the JVM.
        session.put("TimeZone", "UTC");
        for (String limit : new String[] {
            "statement_timeout",
            "lock_timeout",
            "transaction_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout"
        }) {
            session.put(limit, "0");
        }
        return session;
    }

    /** Opens a pool, which connects as soon as the database is reachable. The caller must close it. */
    public static HikariDataSource open(StoreAddress address, StoreOptions options) {
        ReconnectingDataSource database = new ReconnectingDataSource();
        configure(database, address, options);
        return open("event-store", database, options.connections(), options);
    }

    /** Opens a pool for reads of a replica. The caller must close it. */
    static HikariDataSource openReplica(StoreAddress address, StoreOptions options) {
        ReconnectingDataSource database = new ReconnectingDataSource("read replica");
        configure(database, address, options);
        database.setTargetServerType("preferSecondary");
        return open("event-store-replica", database, options.readConnections(), options);
    }

    private static HikariDataSource open(
            String name, ReconnectingDataSource database, int connections, StoreOptions options) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(database);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        config.setConnectionTimeout(options.connectionTimeout().toMillis());
        config.setValidationTimeout(Math.min(options.connectionTimeout().toMillis(), LONGEST_VALIDATION.toMillis()));
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql(sessionSettings(options));
        config.setExceptionOverride(new LostConnections());
        HikariDataSource pool = new HikariDataSource(config);
        database.retryWhile(() -> !pool.isClosed());
        return pool;
    }

    /** Connections without a pool, with the server's default session settings. */
    public static DataSource plain(StoreAddress address, StoreOptions options) {
        return withoutPool(new PGSimpleDataSource(), address, options);
    }

    /** Connections without a pool for migrations: no default of the server, the database or the role limits them. */
    public static DataSource forMigrations(StoreAddress address, StoreOptions options) {
        return withoutPool(new UnlimitedDataSource(), address, options);
    }

    private static final class UnlimitedDataSource extends PGSimpleDataSource {
        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            Connection connection = super.getConnection(user, password);
            try (Statement statement = connection.createStatement()) {
                statement.execute(set(UNLIMITED));
                return connection;
            } catch (SQLException failure) {
                connection.close();
                throw failure;
            }
        }
    }

    private static DataSource withoutPool(PGSimpleDataSource database, StoreAddress address, StoreOptions options) {
        configure(database, address, options);
        // A migration may take longer than the connection time-out.
        database.setSocketTimeout(0);
        // Each statement is sent once. A pooler in transaction mode, which a start detects, confuses named ones.
        database.setPrepareThreshold(0);
        return database;
    }

    /** The reason why a pool that this class has opened cannot connect; empty if it can. */
    static Optional<SQLException> reasonOf(DataSource connections) {
        return connections instanceof HikariDataSource pool
                        && pool.getDataSource() instanceof ReconnectingDataSource reconnecting
                ? reconnecting.reason()
                : Optional.empty();
    }

    /** Replaces the connections of a pool as they become free. */
    static void evict(DataSource connections) {
        if (connections instanceof HikariDataSource pool) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private static void configure(PGSimpleDataSource database, StoreAddress address, StoreOptions options) {
        database.setURL(address.url());
        if (address.username() != null) {
            database.setUser(address.username());
        }
        if (address.password() != null) {
            database.setPassword(address.password());
        }
        database.setApplicationName("registrar event store");
        database.setPrepareThreshold(1);
        database.setTcpKeepAlive(true);
        database.setConnectTimeout(seconds(options.connectionTimeout()));
        database.setSocketTimeout(seconds(options.connectionTimeout()));
        // A read-only server is refused at once: after a failover, even its reads may be outdated.
        database.setTargetServerType("primary");
        // Overrides the URL: if the driver cancels a commit that waits for a standby, the server reports success.
        database.setQueryTimeout(0);
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toSeconds()));
    }

    /** The statement that sets up a session of the store. */
    public static String sessionSettings(StoreOptions options) {
        // Set by a statement, because options in the URL would override connection properties.
        Map<String, String> session = new LinkedHashMap<>(UNLIMITED);
        session.put("statement_timeout", options.statementTimeout().toMillis() + "ms");
        // A transaction that is idle between two statements has lost its client and would keep its locks.
        session.put(
                "idle_in_transaction_session_timeout",
                options.statementTimeout().toMillis() + "ms");
        session.put("lock_timeout", options.lockTimeout().toMillis() + "ms");
        session.putAll(statementSettings());
        return set(session);
    }

    private static String set(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "set_config('%s', '%s', false)".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", ", "select ", ""));
    }

    /** The settings for every statement of the store, on any connection. */
    public static Map<String, String> statementSettings() {
        /*
         * Every statement of the store consists of a few index probes, whatever the statistics say. So plans are made
         * once for each connection and not for each call, since planning costs more than execution. JIT compilation is
         * off, and plan types that read whole tables are disabled. Otherwise the planner could choose and keep such a
         * plan, if statistics are stale or missing, or the table was empty at that time.
         */
        Map<String, String> settings = new LinkedHashMap<>();
        // Needed: a warning tells that a commit may be lost, and a notice that resource locks are held.
        settings.put("client_min_messages", "notice");
        settings.put("plan_cache_mode", "force_generic_plan");
        settings.put("max_parallel_workers_per_gather", "0");
        for (String unwanted : new String[] {
            "jit", "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_memoize"
        }) {
            settings.put(unwanted, "off");
        }
        return settings;
    }
}
