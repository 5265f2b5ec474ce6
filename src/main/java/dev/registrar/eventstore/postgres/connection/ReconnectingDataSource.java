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
 * Connects as soon as the database can be reached, and tells meanwhile why it cannot. The pool that fills itself from
 * here would pause longer and longer between its own tries, and find out seconds too late that the database is back.
 */
final class ReconnectingDataSource implements DataSource {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingDataSource.class);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final DataSource database;
    private volatile @Nullable SQLException reason;
    private volatile BooleanSupplier wanted = () -> true;

    ReconnectingDataSource(DataSource database) {
        this.database = database;
    }

    /** Tries no longer than this is so. */
    void tryWhile(BooleanSupplier condition) {
        wanted = condition;
    }

    /** Why the last try failed; empty if it did not. */
    Optional<SQLException> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    public Connection getConnection() throws SQLException {
        while (true) {
            try {
                Connection connection = database.getConnection();
                // Only the handshake has to be timed by the driver: calls are watched.
                connection.setNetworkTimeout(Runnable::run, 0);
                if (reason != null) {
                    LOG.info("The event store's database can be reached again");
                    reason = null;
                }
                return connection;
            } catch (SQLException failure) {
                if (reason == null) {
                    LOG.warn("The event store's database cannot be reached: {}", failure.getMessage());
                }
                reason = failure;
                if (!wanted.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The store connects as one user alone");
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
