package dev.registrar.eventstore.postgres.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries to connect at a fixed interval until the database is reachable, and exposes the reason of the last failure.
 * The pool's own retries use growing pauses and would detect the recovery seconds later.
 */
class ReconnectingDataSource extends PGSimpleDataSource {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingDataSource.class);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final String name;
    private volatile @Nullable SQLException reason;
    private volatile BooleanSupplier retryCondition = () -> true;

    ReconnectingDataSource() {
        this("event store's database");
    }

    /** @param name of the database, in the log */
    ReconnectingDataSource(String name) {
        this.name = name;
    }

    /** Sets the condition under which connecting is retried. */
    void retryWhile(BooleanSupplier condition) {
        retryCondition = condition;
    }

    /** The reason why the last attempt failed; empty if it succeeded. */
    Optional<SQLException> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        while (true) {
            try {
                Connection connection = connect(user, password);
                // The driver's time-out is for the handshake only; the watchdog covers the calls.
                connection.setNetworkTimeout(Runnable::run, 0);
                if (reason != null) {
                    LOG.info("The {} is reachable again", name);
                    reason = null;
                }
                return connection;
            } catch (SQLException failure) {
                if (reason == null) {
                    LOG.warn("No connection to the {}: {}", name, failure.getMessage());
                }
                reason = failure;
                if (!retryCondition.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Tries to connect once. */
    Connection connect(@Nullable String user, @Nullable String password) throws SQLException {
        return super.getConnection(user, password);
    }
}
