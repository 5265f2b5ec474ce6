package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.metrics.Metrics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The one way to the database: a circuit breaker in front of all calls, a bulkhead for reads, and the repetition of
 * calls that failed in passing and can be repeated safely.
 */
public final class Database implements AutoCloseable {
    /*
     * The breaker counts calls, and so a group of appends once; it is inside the retry, so that each attempt counts. Appends
     * bring their own bounds: as many connections as groups may be in flight, and a bulkhead for those with resource locks.
     */
    private static final String CONNECTION_FAILURE = "08006";
    private static final long EVICTION_INTERVAL = TimeUnit.SECONDS.toNanos(1);
    /**
     * A deadline that leaves less than this part of the usual time is set on the server, which costs two round trips.
     */
    private static final double MOST_OF = 0.5;
    /** How much longer than the server's own limit a call may take before its connection counts as lost. */
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

    private final ConnectionSource connections;
    private final ConnectionOptions options;
    private final BooleanSupplier callerInTransaction;
    private final CallWatchdog watchdog;
    private final Runnable closing;
    private final CircuitBreaker breaker;
    private final SafeRetry retry;
    private final Bulkhead reads;
    private final ConnectionMeters meters;
    private final AtomicLong lastEviction = new AtomicLong(System.nanoTime() - EVICTION_INTERVAL);

    private Database(
            ConnectionSource connections,
            ConnectionOptions options,
            Metrics metrics,
            BooleanSupplier callerInTransaction,
            CallWatchdog watchdog,
            Runnable closing) {
        this.connections = connections;
        this.options = options;
        this.callerInTransaction = callerInTransaction;
        this.watchdog = watchdog;
        this.closing = closing;
        this.meters = new ConnectionMeters(metrics);
        this.breaker = CircuitBreaker.of("event-store", options.breaker(), metrics);
        this.retry = new SafeRetry(options.retry(), breaker, callerInTransaction, meters);
        this.reads = new Bulkhead("read", options.readConnections(), options.maxWaitingReads(), metrics);
    }

    /**
     * Opens a pool, which connects by itself as soon as it can, and is closed with this.
     *
     * @param callerInTransaction whether the current thread is in a transaction of its own
     */
    public static Database open(
            StoreAddress address, ConnectionOptions options, Metrics metrics, BooleanSupplier callerInTransaction) {
        HikariDataSource pool = StoreConnections.open(address, options);
        metrics.registry().ifPresent(pool::setMetricRegistry);
        CallWatchdog watchdog = new CallWatchdog();
        return new Database(new ConnectionSource.Pooled(pool), options, metrics, callerInTransaction, watchdog, () -> {
            pool.close();
            watchdog.close();
        });
    }

    /**
     * Uses connections that are set up as those of {@link StoreConnections}. Their source is not closed with this.
     *
     * @param callerInTransaction whether the current thread is in a transaction of its own
     */
    public static Database on(
            DataSource connections, ConnectionOptions options, Metrics metrics, BooleanSupplier callerInTransaction) {
        CallWatchdog watchdog = new CallWatchdog();
        return new Database(
                new ConnectionSource.Pooled(connections),
                options,
                metrics,
                callerInTransaction,
                watchdog,
                watchdog::close);
    }

    /** The same on one connection alone, with a circuit breaker of its own and without metrics. */
    public Database on(Connection connection) {
        return new Database(
                new ConnectionSource.One(connection), options, Metrics.none(), callerInTransaction, watchdog, () -> {});
    }

    /** Work on a connection. */
    @FunctionalInterface
    public interface Call<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Work on a prepared statement. */
    @FunctionalInterface
    public interface Work<T> {
        T on(PreparedStatement statement) throws SQLException;
    }

    ConnectionSource connections() {
        return connections;
    }

    public CircuitBreaker breaker() {
        return breaker;
    }

    /**
     * Runs a statement that can be repeated safely, alone in its transaction, on one of the connections for reads.
     *
     * @throws dev.registrar.eventstore.OverloadedException if too many callers wait for a connection already
     * @throws StoreTimeoutException if no connection became free, or the statement took longer than it or the deadline
     *     allows
     * @throws StoreUnavailableException if the database failed, also when the call was repeated
     */
    public <T> T run(String sql, Work<T> work) {
        return retry.ifNothingWasDone(() -> {
            reads.acquire(Deadline.left(options.connectionTimeout()));
            boolean hurried = isHurried();
            try {
                return call(
                        options.statementTimeout(),
                        hurried,
                        connection -> hurried
                                ? inTime(connection, Deadline.left(options.statementTimeout()), sql, work)
                                : prepared(connection, sql, work));
            } catch (SQLException failure) {
                throw Failures.read(failure);
            } finally {
                reads.release();
            }
        });
    }

    /**
     * Checks conditions by a statement, once, alone in its transaction, on one of the connections for reads, within a
     * time of its own that is set on the server.
     *
     * @throws dev.registrar.eventstore.OverloadedException if too many callers wait for a connection already
     * @throws StoreTimeoutException if no connection became free, or the statement took longer than it or the deadline
     *     allows
     * @throws StoreUnavailableException if the database failed
     */
    public <T> T check(Duration most, String sql, Work<T> work) {
        reads.acquire(Deadline.left(options.connectionTimeout()));
        try {
            // A check that takes long says nothing about the database.
            return call(most, true, connection -> inTime(connection, Deadline.left(most), sql, work));
        } catch (SQLException failure) {
            throw Failures.check(failure, most);
        } finally {
            reads.release();
        }
    }

    private <T> T inTime(Connection connection, Duration left, String sql, Work<T> work) throws SQLException {
        // A rehearsal's connection is in a transaction that is rolled back, and never committed.
        boolean isOwn = connection.getAutoCommit();
        connection.setAutoCommit(false);
        limit(connection, left);
        T answer = prepared(connection, sql, work);
        if (isOwn) {
            connection.clearWarnings();
            connection.commit();
            Failures.requireNoWarning(connection.getWarnings());
        }
        return answer;
    }

    /**
     * Whether the caller's deadline leaves so much less than the connection's own limit that it is worth setting on the
     * server.
     */
    public boolean isHurried() {
        Duration usual = options.statementTimeout();
        return Deadline.left(usual).toMillis() < MOST_OF * usual.toMillis();
    }

    /* Limits the statements of the open transaction. */
    private static void limit(Connection connection, Duration time) throws SQLException {
        long left = notOver(time).toMillis();
        try (PreparedStatement statement =
                connection.prepareStatement("select set_config('statement_timeout', ?, true)")) {
            statement.setString(1, left + "ms");
            statement.execute();
        }
    }

    /**
     * What the caller's deadline leaves for a statement, at least a millisecond.
     *
     * @throws StoreTimeoutException if it leaves nothing
     */
    public Duration leftOfDeadline() {
        return notOver(Deadline.left(options.statementTimeout()));
    }

    private static Duration notOver(Duration left) {
        if (left.toMillis() == 0) {
            throw new StoreTimeoutException("The request's deadline has passed; the database was not called");
        }
        return left;
    }

    private static <T> T prepared(Connection connection, String sql, Work<T> work) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.on(statement);
        }
    }

    /**
     * Calls the database once, and reports the result to the circuit breaker.
     *
     * @param longest that the server lets the call's statements take together
     * @param hurried whether the call limits itself to the caller's deadline: then its time-out says nothing about the
     *     database
     * @throws SQLException if the call failed, or giving its connection back
     * @throws EventStoreException if there was no connection, so that nothing was sent; or if the call threw it
     */
    public <T> T call(Duration longest, boolean hurried, Call<T> call) throws SQLException {
        if (!breaker.tryAcquire()) {
            throw new StoreUnavailableException(
                    "Circuit breaker open; the database was not called",
                    new CircuitOpenException(breaker.state()),
                    FailureCategory.CONNECTION);
        }
        long started = System.nanoTime();
        try {
            T answer = onConnection(longest, call);
            succeeded(started);
            return answer;
        } catch (SQLException failure) {
            report(SqlStates.category(failure.getSQLState()), failure, started, hurried);
            throw failure;
        } catch (EventStoreException failure) {
            failure.category()
                    .ifPresentOrElse(
                            category -> report(category, failure, started, hurried),
                            () -> reportAnswer(failure, started));
            throw failure;
        } catch (RuntimeException | Error mistake) {
            breaker.release();
            throw mistake;
        }
    }

    private <T> T onConnection(Duration longest, Call<T> call) throws SQLException {
        Connection connection = take();
        // Watched until it is given back, which may send a rollback.
        try (CallWatchdog.Watched watched = watchdog.watch(connection, longest.plus(NETWORK_MARGIN));
                Lease lease = new Lease(connections, connection)) {
            T answer = call.on(lease.connection);
            if (watched.isBroken()) {
                throw new SQLException("The connection was given up during the call", CONNECTION_FAILURE);
            }
            return answer;
        }
    }

    /** A connection that is given back. */
    private record Lease(ConnectionSource source, Connection connection) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            source.giveBack(connection);
        }
    }

    /**
     * Takes a connection for more than one call; the caller closes it.
     *
     * @throws EventStoreException if there is none
     */
    public Connection take() {
        try {
            return connections.take();
        } catch (SQLException failure) {
            if (failure.getCause() instanceof InterruptedException) {
                throw new StoreUnavailableException("Interrupted while waiting for a connection");
            }
            throw Failures.noConnection(failure, connections.reason());
        }
    }

    /** Rolls a connection's transaction back, and lets each of its later statements be a transaction of its own. */
    @SuppressWarnings("try") // the watch is only there to be closed
    public void rollBack(Connection connection) throws SQLException {
        try (CallWatchdog.Watched watched = watchdog.watch(connection, NETWORK_MARGIN)) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /**
     * Calls the database for nothing, if the circuit is not closed: so a health check finds out that the database is
     * back, also without other calls.
     */
    public void tryAgain() {
        switch (breaker.state()) {
            case OPEN, HALF_OPEN -> {
                try {
                    run("select 1", PreparedStatement::execute);
                } catch (EventStoreException stillAway) {
                    // The call has reported its failure.
                }
            }
            case CLOSED, DISABLED -> {}
        }
    }

    private void succeeded(long started) {
        breaker.succeeded(System.nanoTime() - started);
    }

    /* A caller that gave up before it called the database knows nothing about it; other answers are the database's. */
    private void reportAnswer(EventStoreException failure, long started) {
        if (failure instanceof StoreTimeoutException || failure instanceof StoreUnavailableException) {
            breaker.release();
        } else {
            succeeded(started);
        }
    }

    /* The time-out of a caller in a hurry says nothing about the database. */
    private void report(FailureCategory category, Exception failure, long started, boolean hurried) {
        if (category == FailureCategory.TIMEOUT && hurried) {
            breaker.release();
        } else if (category.isOutage()) {
            breaker.failed(System.nanoTime() - started, failure);
        } else {
            succeeded(started);
        }
        meters.failed(category);
        if (category.isLoss()) {
            evictConnections();
        }
    }

    /* Where one connection is lost, the others of the pool probably are, too: the next caller would fail as well. */
    private void evictConnections() {
        long now = System.nanoTime();
        long last = lastEviction.get();
        if (now - last >= EVICTION_INTERVAL && lastEviction.compareAndSet(last, now)) {
            connections.evict();
        }
    }

    /**
     * Carries out an append, and repeats it where that is safe: nothing was stored, or a key keeps it from being stored
     * twice.
     *
     * @param keyed whether each request carries an idempotency key
     */
    public <T> T appending(boolean keyed, Supplier<T> append) {
        return keyed ? retry.evenIfDone(append) : retry.ifNothingWasDone(append);
    }

    /** Closes the pool that was opened here, and ends the watchdog. */
    @Override
    public void close() {
        closing.run();
    }
}
