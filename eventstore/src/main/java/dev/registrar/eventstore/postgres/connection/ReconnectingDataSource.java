package dev.registrar.eventstore.postgres.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries to connect at a fixed interval until the database is reachable, and exposes the reason of the last failure.
 * The pool's own retries use growing pauses and would detect the recovery seconds later.
 */
final class ReconnectingDataSource implements DataSource {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingDataSource.class);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final DataSource database;
    private volatile @Nullable SQLException reason;
    private volatile BooleanSupplier retryCondition = () -> true;

    ReconnectingDataSource(DataSource database) {
        this.database = database;
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
    public Connection getConnection() throws SQLException {
        while (true) {
            try {
                Connection connection = database.getConnection();
                // The driver's time-out is for the handshake only; the watchdog covers the calls.
                connection.setNetworkTimeout(Runnable::run, 0);
                if (reason != null) {
                    LOG.info("The event store's database is reachable again");
                    reason = null;
                }
                return connection;
            } catch (SQLException failure) {
                if (reason == null) {
                    LOG.warn("No connection to the event store's database: {}", failure.getMessage());
                }
                reason = failure;
                if (!retryCondition.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "The event store connects as a single user; other credentials are not supported");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter writer) throws SQLException {
        database.setLogWriter(writer);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public java.util.logging.Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return database.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> wanted) throws SQLException {
        return database.unwrap(wanted);
    }

    @Override
    public boolean isWrapperFor(Class<?> wanted) throws SQLException {
        return database.isWrapperFor(wanted);
    }
}
