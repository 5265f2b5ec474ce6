package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The store's own pool of connections, set up for its few, short statements. */
public final class StoreConnections {
    /** How long a connection that was idle may take to show that it works. */
    private static final Duration LONGEST_VALIDATION = Duration.ofSeconds(1);

    private StoreConnections() {}

    /** Opens a pool, which connects by itself as soon as it can; who opens it closes it. */
    public static HikariDataSource open(
            String url, @Nullable String username, @Nullable String password, StoreOptions settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("event-store");
        ReconnectingDataSource database = new ReconnectingDataSource(database(url, username, password, settings));
        config.setDataSource(database);
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(settings.connections());
        config.setConnectionTimeout(settings.connectionTimeout().toMillis());
        config.setValidationTimeout(Math.min(settings.connectionTimeout().toMillis(), LONGEST_VALIDATION.toMillis()));
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql(sessionSettings(settings));
        config.setExceptionOverride(new LostConnections());
        HikariDataSource pool = new HikariDataSource(config);
        database.tryWhile(() -> !pool.isClosed());
        return pool;
    }

    /** Why a pool that was opened here cannot connect; empty if it can. */
    static Optional<SQLException> reasonOf(DataSource connections) {
        return connections instanceof HikariDataSource pool
                        && pool.getDataSource() instanceof ReconnectingDataSource patient
                ? patient.reason()
                : Optional.empty();
    }

    private static DataSource database(
            String url, @Nullable String username, @Nullable String password, StoreOptions settings) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(url);
        if (username != null) {
            database.setUser(username);
        }
        if (password != null) {
            database.setPassword(password);
        }
        database.setApplicationName("registrar event store");
        database.setPrepareThreshold(1);
        database.setTcpKeepAlive(true);
        database.setConnectTimeout(seconds(settings.connectionTimeout()));
        database.setSocketTimeout(seconds(settings.connectionTimeout()));
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
    public static String sessionSettings(StoreOptions settings) {
        /*
         * Every statement of the store is a handful of index probes, whatever the statistics say. So the plans are made once a
         * connection and not per call (planning costs more than running), compilation is off, and the strategies that read
         * whole tables are off the table too: with stale or no statistics, or prepared on an empty table, one of them would
         * otherwise be chosen and kept. Set by a statement, since options in the URL would win over those given beside it.
         */
        Map<String, String> session = new LinkedHashMap<>();
        session.put("default_transaction_isolation", "read committed");
        session.put("statement_timeout", settings.statementTimeout().toMillis() + "ms");
        // Nobody thinks for long between the statements of a transaction: who does has gone, and would keep its locks.
        session.put(
                "idle_in_transaction_session_timeout",
                settings.statementTimeout().toMillis() + "ms");
        session.put("lock_timeout", settings.lockTimeout().toMillis() + "ms");
        // Warnings and notices of a commit say whether it is safe, and which locks were held.
        session.put("client_min_messages", "notice");
        session.put("plan_cache_mode", "force_generic_plan");
        session.put("max_parallel_workers_per_gather", "0");
        for (String unwanted : new String[] {
            "jit", "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_memoize"
        }) {
            session.put(unwanted, "off");
        }
        return session.entrySet().stream()
                .map(setting -> "set_config('%s', '%s', false)".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", ", "select ", ""));
    }
}
