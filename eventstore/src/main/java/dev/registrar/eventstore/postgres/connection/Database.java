package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.registrar.concurrent.Deadline;
import dev.registrar.concurrent.Throttle;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The single access path to the database. It has a circuit breaker in front of all calls, a bulkhead for reads, and
 * retries where a repetition is safe.
 */
public final class Database implements AutoCloseable {
    /*
     * The circuit breaker counts calls, so a group of appends counts once. It is inside the retry, so that each attempt
     * counts. Appends have their own bounds: one connection for each group in flight, and a bulkhead for appends that
     * wait for resource locks.
     *
     * Conflicts and refusals are answers, not failures. A call is not repeated after a time-out, because the caller's
     * time is used up. No call is repeated inside a caller's transaction, after a request's deadline, or while the
     * circuit is open.
     */
    private static final String CONNECTION_FAILURE = "08006";
    private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(1);
    /**
     * If a deadline leaves less than this fraction of the statement time-out, it is set on the server, which costs two
     * round trips.
     */
    private static final double HURRY_FRACTION = 0.5;
    /** The time beyond the server's own limit after which the connection of a call counts as lost. */
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

    private final DataSource pool;
    /** The connection of all calls, which stays open; null if each call takes one of the pool. */
    private final @Nullable Connection only;

    private final StoreOptions options;
    private final BooleanSupplier callerInTransaction;
    private final CallWatchdog watchdog;
    private final Runnable closing;
    private final CircuitBreaker breaker;
    private final Permits reads;
    private final ConnectionMeters meters;
    private final ServerWarnings warnings;
    private final Throttle evictions = new Throttle(EVICTION_INTERVAL);
    /** Why the circuit is open, if it is. */
    private volatile FailureCategory lastOutage = FailureCategory.CONNECTION;

    private Database(
            DataSource pool,
            @Nullable Connection only,
            StoreOptions options,
            MeterRegistry metrics,
            BooleanSupplier callerInTransaction,
            CallWatchdog watchdog,
            Runnable closing) {
        this.pool = pool;
        this.only = only;
        this.options = options;
        this.callerInTransaction = callerInTransaction;
        this.watchdog = watchdog;
        this.closing = closing;
        this.meters = new ConnectionMeters(metrics);
        this.warnings = new ServerWarnings(metrics);
        CircuitBreakerRegistry breakers =
                CircuitBreakerRegistry.of(options.breaker().config());
        this.breaker = breakers.circuitBreaker("event-store");
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(metrics);
        this.reads = Permits.ofConnections("read", options.readConnections(), options.maxWaitingReads(), metrics);
    }

    /**
     * Opens a pool, which connects as soon as the database is reachable. Closing this object closes the pool.
     *
     * @param callerInTransaction whether the current thread is in a transaction of the application
     */
    public static Database open(
            StoreAddress address, StoreOptions options, MeterRegistry metrics, BooleanSupplier callerInTransaction) {
        HikariDataSource pool = StoreConnections.open(address, options);
        pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(metrics));
        return ownerOf(pool, options, metrics, callerInTransaction);
    }

    /** Opens a pool for reads of a replica, without metrics. Closing this object closes the pool. */
    public static Database openReplica(StoreAddress address, StoreOptions options) {
        HikariDataSource pool = StoreConnections.openReplica(address, options);
        return ownerOf(pool, options, new CompositeMeterRegistry(), () -> false);
    }

    private static Database ownerOf(
            HikariDataSource pool, StoreOptions options, MeterRegistry metrics, BooleanSupplier callerInTransaction) {
        CallWatchdog watchdog = new CallWatchdog();
        return new Database(pool, null, options, metrics, callerInTransaction, watchdog, () -> {
            pool.close();
            watchdog.close();
        });
    }

    /**
     * Uses connections with the session settings of {@link StoreConnections}. Closing this object does not close their
     * source.
     *
     * @param callerInTransaction whether the current thread is in a transaction of the application
     */
    public static Database on(
            DataSource connections, StoreOptions options, MeterRegistry metrics, BooleanSupplier callerInTransaction) {
        CallWatchdog watchdog = new CallWatchdog();
        return new Database(connections, null, options, metrics, callerInTransaction, watchdog, watchdog::close);
    }

    /**
     * The same on a single connection of the pool, in a transaction that is never committed, with a circuit breaker of
     * its own and without metrics. Closing it returns the connection.
     *
     * @throws EventStoreException if no connection is available
     */
    public Database rehearsal() {
        Connection connection = take();
        try {
            connection.setAutoCommit(false);
        } catch (SQLException failure) {
            giveBack(connection);
            throw Failures.read(failure);
        }
        return new Database(
                pool,
                connection,
                options,
                new CompositeMeterRegistry(),
                callerInTransaction,
                watchdog,
                () -> giveBack(connection));
    }

    /* The pool rolls back. */
    @SuppressWarnings("try") // the resources are only closed
    private void giveBack(Connection connection) {
        try (connection;
                CallWatchdog.Watched watched = watchdog.watch(connection, NETWORK_MARGIN)) {
        } catch (SQLException lost) {
            // The pool opens another connection.
        }
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

    DataSource pool() {
        return pool;
    }

    public CircuitBreaker breaker() {
        return breaker;
    }

    public ServerWarnings warnings() {
        return warnings;
    }

    /**
     * Runs a statement in its own transaction, on one of the connections for reads. The statement must be safe to
     * repeat.
     *
     * @throws dev.registrar.eventstore.OverloadedException if too many callers wait for a connection
     * @throws StoreTimeoutException if no connection became free in time, or the statement exceeded its time-out or the
     *     caller's deadline
     * @throws StoreUnavailableException if the database failed and retries did not help
     */
    public <T> T run(String sql, Work<T> work) {
        Supplier<T> attempt = () -> {
            reads.acquire(1, Deadline.left(options.connectionTimeout()));
            boolean hurried = isHurried();
            try {
                return call(
                        options.statementTimeout(),
                        hurried,
                        connection -> hurried
                                ? withTimeout(connection, Deadline.left(options.statementTimeout()), sql, work)
                                : prepared(connection, sql, work));
            } catch (SQLException failure) {
                throw Failures.read(failure);
            } finally {
                reads.release(1);
            }
        };
        return repeated(attempt, Failures::isRepeatable);
    }

    /**
     * Runs a statement once, in its own transaction, on one of the connections for reads. Its own time-out, which may
     * be longer than that of statements, is set on the server.
     *
     * @param failed the exception for a failure of the statement
     * @throws dev.registrar.eventstore.OverloadedException if too many callers wait for a connection
     * @throws StoreTimeoutException if no connection became free in time
     * @throws StoreUnavailableException if there is no connection, or the circuit is open
     */
    public <T> T once(Duration most, String sql, Function<SQLException, RuntimeException> failed, Work<T> work) {
        reads.acquire(1, Deadline.left(options.connectionTimeout()));
        try {
            // A slow statement is not a database failure, so its time-out must not count for the circuit breaker.
            return call(most, true, connection -> withTimeout(connection, Deadline.left(most), sql, work));
        } catch (SQLException failure) {
            throw failed.apply(failure);
        } finally {
            reads.release(1);
        }
    }

    private <T> T withTimeout(Connection connection, Duration left, String sql, Work<T> work) throws SQLException {
        // The connection of a rehearsal is in a transaction that must not be committed.
        boolean isOwn = connection.getAutoCommit();
        connection.setAutoCommit(false);
        limit(connection, left);
        T answer = prepared(connection, sql, work);
        if (isOwn) {
            connection.clearWarnings();
            connection.commit();
            warnings.check(connection.getWarnings());
        }
        return answer;
    }

    /** Whether the caller's deadline leaves so little of the statement time-out that it must be set on the server. */
    public boolean isHurried() {
        Duration usual = options.statementTimeout();
        return Deadline.left(usual).toMillis() < HURRY_FRACTION * usual.toMillis();
    }

    /* Limits the time of each statement in the open transaction. */
    private static void limit(Connection connection, Duration time) throws SQLException {
        long left = requireTimeLeft(time).toMillis();
        try (PreparedStatement statement =
                connection.prepareStatement("select set_config('statement_timeout', ?, true)")) {
            statement.setString(1, left + "ms");
            statement.execute();
        }
    }

    /**
     * The time that the caller's deadline leaves for a statement, at least 1 ms.
     *
     * @throws StoreTimeoutException if the deadline has passed
     */
    public Duration leftOfDeadline() {
        return requireTimeLeft(Deadline.left(options.statementTimeout()));
    }

    private static Duration requireTimeLeft(Duration left) {
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
     * @param longest the longest time that the server allows for all statements of the call
     * @param hurried whether the call is limited to the caller's deadline; its time-out then does not count as a
     *     failure of the database
     * @throws SQLException if the call or returning its connection failed
     * @throws EventStoreException if there was no connection, so that nothing was sent, or if the call threw it
     */
    public <T> T call(Duration longest, boolean hurried, Call<T> call) throws SQLException {
        try {
            breaker.acquirePermission();
        } catch (CallNotPermittedException open) {
            throw new StoreUnavailableException("Circuit breaker open; the database was not called", open, lastOutage);
        }
        long started = System.nanoTime();
        try {
            T answer = onConnection(longest, call);
            succeeded(started);
            return answer;
        } catch (SQLException failure) {
            if (hasClosedItsSocket()) {
                breaker.releasePermission();
            } else {
                report(SqlStates.category(failure.getSQLState()), failure, started, hurried);
            }
            throw failure;
        } catch (EventStoreException failure) {
            failure.category()
                    .ifPresentOrElse(
                            category -> report(category, failure, started, hurried),
                            () -> reportAnswer(failure, started));
            throw failure;
        } catch (RuntimeException | Error unexpected) {
            breaker.releasePermission();
            throw unexpected;
        }
    }

    /* An interrupt closes the socket that a virtual thread waits for. The other connections are not lost. */
    private static boolean hasClosedItsSocket() {
        return Thread.currentThread().isVirtual() && Thread.currentThread().isInterrupted();
    }

    private <T> T onConnection(Duration longest, Call<T> call) throws SQLException {
        Connection connection = take();
        // Watched until the connection is returned, which may send a rollback.
        try (CallWatchdog.Watched watched = watchdog.watch(connection, longest.plus(NETWORK_MARGIN));
                Lease lease = new Lease(connection, only == null)) {
            T answer = call.on(lease.connection);
            if (watched.isAborted()) {
                throw new SQLException(
                        "The connection was aborted during the call because the database did not answer in time",
                        CONNECTION_FAILURE);
            }
            return answer;
        }
    }

    /** The connection of a call, which is returned to the pool after it. */
    private record Lease(Connection connection, boolean isOfPool) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            if (isOfPool) {
                connection.close();
            }
        }
    }

    private Connection take() {
        try {
            return only == null ? pool.getConnection() : only;
        } catch (SQLException failure) {
            if (failure.getCause() instanceof InterruptedException) {
                throw new StoreUnavailableException("Interrupted while waiting for a connection");
            }
            throw Failures.noConnection(failure, StoreConnections.reasonOf(pool));
        }
    }

    /**
     * Makes a trial call if the circuit breaker is not closed, so that a health check detects the database's recovery
     * even without other calls.
     */
    public void tryAgain() {
        switch (breaker.getState()) {
            case OPEN, FORCED_OPEN, HALF_OPEN -> {
                try {
                    run("select 1", PreparedStatement::execute);
                } catch (EventStoreException stillAway) {
                    // The call has reported its failure.
                }
            }
            case CLOSED, DISABLED, METRICS_ONLY -> {}
        }
    }

    private void succeeded(long started) {
        breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
    }

    /* A time-out or interrupt before the call says nothing about the database; any other exception is its answer. */
    private void reportAnswer(EventStoreException failure, long started) {
        if (failure instanceof StoreTimeoutException || failure instanceof StoreUnavailableException) {
            breaker.releasePermission();
        } else {
            succeeded(started);
        }
    }

    /* A time-out caused by the caller's deadline is not a database failure. */
    private void report(FailureCategory category, Exception failure, long started, boolean hurried) {
        if (category == FailureCategory.TIMEOUT && hurried) {
            breaker.releasePermission();
        } else if (category.isOutage()) {
            lastOutage = category;
            breaker.onError(System.nanoTime() - started, TimeUnit.NANOSECONDS, failure);
        } else {
            succeeded(started);
        }
        meters.failed(category);
        if (category.isLoss()) {
            evictConnections();
        }
    }

    /*
     * If one connection is lost, the other connections of the pool probably are as well, and the next caller would
     * fail.
     */
    private void evictConnections() {
        if (evictions.tryAcquire()) {
            StoreConnections.evict(pool);
        }
    }

    /**
     * Carries out an append, and repeats it where that is safe: if nothing was stored, or if a key prevents a second
     * append.
     *
     * @param keyed whether each request has an idempotency key
     */
    public <T> T appending(boolean keyed, Supplier<T> append) {
        AtomicReference<@Nullable OutcomeUnknownException> unknown = new AtomicReference<>();
        try {
            return repeated(append, failure -> {
                if (keyed && failure instanceof OutcomeUnknownException perhapsDone) {
                    unknown.set(perhapsDone);
                    return true;
                }
                return Failures.isRepeatable(failure);
            });
        } catch (EventStoreException failure) {
            // Once an attempt may have succeeded, a later failure does not prove that nothing was done.
            OutcomeUnknownException earlier = unknown.get();
            if (earlier == null || failure instanceof OutcomeUnknownException) {
                throw failure;
            }
            earlier.addSuppressed(failure);
            throw earlier;
        }
    }

    private <T> T repeated(Supplier<T> work, Predicate<EventStoreException> isRepeatable) {
        AtomicBoolean isRepetition = new AtomicBoolean();
        return options.retry()
                .backOff()
                .retry(
                        options.retry().maxRetries(),
                        failure -> failure instanceof EventStoreException own && mayRepeat() && isRepeatable.test(own),
                        () -> {
                            if (isRepetition.getAndSet(true)) {
                                meters.retried();
                            }
                            return work.get();
                        });
    }

    private boolean mayRepeat() {
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> false;
            case CLOSED, HALF_OPEN, DISABLED, METRICS_ONLY -> !callerInTransaction.getAsBoolean();
        };
    }

    /** Closes the pool if this object has opened it, and stops the watchdog. */
    @Override
    public void close() {
        closing.run();
    }
}
