package dev.registrar.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The pool of the application's {@code DataSource}, which also serves views, automations and notifications. */
final class ApplicationPool {
    /** One listens for appends, one moves a view or an automation, and one answers a look-up of it meanwhile. */
    private static final int LEAST_CONNECTIONS = 3;

    private ApplicationPool() {}

    /** Checks that the pool is large enough. */
    static void check(DataSource connections) {
        int most = size(connections);
        if (most < LEAST_CONNECTIONS) {
            throw new StoreStartFailure(
                    ("The pool of the DataSource has at most %s connections; it needs at least %s: one to listen for appends of"
                                    + " other instances, one for a view or an automation, and one for look-ups.")
                            .formatted(most, LEAST_CONNECTIONS),
                    "Raise spring.datasource.hikari.maximum-pool-size, or the maximum of the application's own pool.",
                    null);
        }
    }

    /** The maximum number of searches in views at a time, which leaves connections to the other uses. */
    static int maxSearches(DataSource connections) {
        return Math.max(1, size(connections) - LEAST_CONNECTIONS + 1);
    }

    /* Unbounded if it is not HikariCP's. */
    private static int size(DataSource connections) {
        try {
            if (!connections.isWrapperFor(HikariDataSource.class)) {
                return Integer.MAX_VALUE;
            }
            int most = connections.unwrap(HikariDataSource.class).getMaximumPoolSize();
            // Below 1 if it is not set: HikariCP then has 10 connections.
            return most < 1 ? 10 : most;
        } catch (SQLException unknown) {
            throw new IllegalStateException("The DataSource does not say whether it is a pool", unknown);
        }
    }
}
