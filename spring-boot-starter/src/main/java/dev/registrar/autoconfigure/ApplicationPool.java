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
        try {
            if (connections.isWrapperFor(HikariDataSource.class)) {
                check(connections.unwrap(HikariDataSource.class).getMaximumPoolSize());
            }
        } catch (SQLException unknown) {
            throw new IllegalStateException("The DataSource does not say whether it is a pool", unknown);
        }
    }

    private static void check(int most) {
        // Below 1 if it is not set: HikariCP then has 10 connections.
        if (most > 0 && most < LEAST_CONNECTIONS) {
            throw new StoreStartFailure(
                    ("The pool of the DataSource has at most %s connections; it needs at least %s: one to listen for appends of"
                                    + " other instances, one for a view or an automation, and one for look-ups.")
                            .formatted(most, LEAST_CONNECTIONS),
                    "Raise spring.datasource.hikari.maximum-pool-size, or the maximum of the application's own pool.",
                    null);
        }
    }
}
