package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/** The store's own pool of connections, set up for its few, short statements. */
public final class StoreConnections {
    /*
     * Every statement of the store is a handful of index probes, whatever the statistics say. So the plans are made once a
     * connection and not per call (planning costs more than running), compilation is off, and the strategies that read
     * whole tables are off the table too: with stale or no statistics, or prepared on an empty table, one of them would
     * otherwise be chosen and kept.
     */
    private static final String PLANNER =
            "-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_bitmapscan=off"
                    + " -c enable_hashjoin=off -c enable_mergejoin=off -c default_transaction_isolation=read\\ committed";

    private StoreConnections() {}

    /** Opens a pool, which connects when it is first asked; who opens it closes it. */
    public static HikariDataSource open(
            String url, @Nullable String username, @Nullable String password, StoreSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("event-store");
        config.setJdbcUrl(url);
        config.setUsername(username);
        config.setPassword(password);
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(Math.min(2, settings.connections()));
        config.setConnectionTimeout(settings.connectionTimeout().toMillis());
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("ApplicationName", "registrar event store");
        config.addDataSourceProperty("prepareThreshold", 1);
        config.addDataSourceProperty("tcpKeepAlive", true);
        config.addDataSourceProperty(
                "options",
                "%s -c statement_timeout=%d -c lock_timeout=%d"
                        .formatted(
                                PLANNER,
                                settings.statementTimeout().toMillis(),
                                settings.lockTimeout().toMillis()));
        return new HikariDataSource(config);
    }
}
