package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The store's own pool of connections, set up for its few, short statements. */
public final class StoreConnections {
    /** How long a connection that was idle may take to show that it works. */
    private static final Duration LONGEST_VALIDATION = Duration.ofSeconds(1);

    private StoreConnections() {}

    /** Opens a pool, which connects by itself as soon as it can. The caller closes it. */
    public static HikariDataSource open(StoreAddress address, ConnectionOptions options) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("event-store");
        ReconnectingDataSource database = new ReconnectingDataSource(database(address, options));
        config.setDataSource(database);
        config.setMaximumPoolSize(options.connections());
        config.setMinimumIdle(options.connections());
        config.setConnectionTimeout(options.connectionTimeout().toMillis());
        config.setValidationTimeout(Math.min(options.connectionTimeout().toMillis(), LONGEST_VALIDATION.toMillis()));
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql(sessionSettings(options));
        config.setExceptionOverride(new LostConnections());
        HikariDataSource pool = new HikariDataSource(config);
        database.tryWhile(() -> !pool.isClosed());
        return pool;
    }

    /** Connections without a pool, in sessions with the server's own settings. */
    public static DataSource plain(StoreAddress address, ConnectionOptions options) {
        PGSimpleDataSource database = database(address, options);
        // A migration may take longer than a time-out for connections.
        database.setSocketTimeout(0);
        return database;
    }

    /** Why a pool that was opened here cannot connect; empty if it can. */
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

    private static PGSimpleDataSource database(StoreAddress address, ConnectionOptions options) {
        PGSimpleDataSource database = new PGSimpleDataSource();
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
        // A server that takes no writes is refused at once: its reads, too, may be of a past that a failover has ended.
        database.setTargetServerType("primary");
        // Not even one from the URL: cancelling a commit's wait for a standby makes the server report success.
        database.setQueryTimeout(0);
        return database;
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toSeconds()));
    }

    /** The statement that sets up a session of the store. */
    public static String sessionSettings(ConnectionOptions options) {
        // Set by a statement, since options in the URL would win over those given beside it.
        Map<String, String> session = new LinkedHashMap<>();
        session.put("default_transaction_isolation", "read committed");
        session.put("statement_timeout", options.statementTimeout().toMillis() + "ms");
        // A transaction that is idle between two statements has lost its client, and would keep its locks.
        session.put(
                "idle_in_transaction_session_timeout",
                options.statementTimeout().toMillis() + "ms");
        session.put("lock_timeout", options.lockTimeout().toMillis() + "ms");
        session.putAll(statementSettings());
        return session.entrySet().stream()
                .map(setting -> "set_config('%s', '%s', false)".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", ", "select ", ""));
    }

    /** The settings that every statement of the store runs with, on whichever connection. */
    public static Map<String, String> statementSettings() {
        /*
         * Every statement of the store is a handful of index probes, whatever the statistics say. So the plans are made once a
         * connection and not per call (planning costs more than running), compilation is off, and the strategies that read
         * whole tables are disabled: with stale or no statistics, or prepared on an empty table, one of them would
         * otherwise be chosen and kept.
         */
        Map<String, String> settings = new LinkedHashMap<>();
        // Warnings and notices of a commit say whether it is safe, and which locks were held.
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
