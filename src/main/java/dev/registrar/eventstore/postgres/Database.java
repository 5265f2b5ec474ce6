package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.BreakerOptions;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The one way to the database: a circuit breaker in front of all calls, a budget of connections for reads, and a second
 * try for what failed in passing and may safely be repeated.
 */
final class Database {
    /*
     * The breaker counts calls, and so a group of appends once; it stands inside the retry, so that each try counts. Appends
     * bring their own bounds: as many connections as groups may be on their way, and a budget for those with resource locks.
     */
    private static final String CONNECTION_FAILURE = "08006";
    private static final long EVICTION_INTERVAL = TimeUnit.SECONDS.toNanos(1);
    /**
     * A deadline that leaves less than this part of the usual time is told to the server, which costs two round trips.
     */
    private static final double MOST_OF = 0.5;
    /** What the server's own limit on a statement may be overrun before the connection counts as lost. */
    static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

    private final DataSource connections;
    private final CircuitBreaker breaker;
    private final SafeRetry retry;
    private final Bulkhead reads;
    private final StoreMeters meters;
    private final Duration connectionTimeout;
    private final Duration statementTimeout;
    private final AtomicLong lastEviction = new AtomicLong(System.nanoTime() - EVICTION_INTERVAL);

    Database(DataSource connections, StoreOptions settings, StoreMeters meters) {
        this.connections = connections;
        CircuitBreakerRegistry breakers = CircuitBreakerRegistry.of(config(settings.breaker()));
        this.breaker = breakers.circuitBreaker("event-store");
        this.retry = new SafeRetry(settings.retry(), breaker, meters);
        this.reads = new Bulkhead("read", settings.readConnections(), settings.maxWaitingReads());
        this.meters = meters;
        this.connectionTimeout = settings.connectionTimeout();
        this.statementTimeout = settings.statementTimeout();
        meters.budget(reads);
        meters.breakers(breakers);
    }

    private static CircuitBreakerConfig config(BreakerOptions options) {
        return CircuitBreakerConfig.custom()
                .slidingWindow(
                        Math.toIntExact(options.window().toSeconds()),
                        options.minimumCalls(),
                        SlidingWindowType.TIME_BASED)
                .failureRateThreshold(options.failureRate())
                .waitDurationInOpenState(options.openFor())
                .permittedNumberOfCallsInHalfOpenState(options.trialCalls())
                // No limit: each trial call reports its result, or gives the permission back.
                .maxWaitDurationInHalfOpenState(Duration.ZERO)
                .initialState(options.enabled() ? State.CLOSED : State.DISABLED)
                .build();
    }

    /** What is done with a connection. */
    interface Call<T> {
        T on(Connection connection) throws SQLException;
    }

    /** What is done with a prepared statement. */
    interface Work<T> {
        T on(PreparedStatement statement) throws SQLException;
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    /**
     * Runs a statement that may safely be sent again, alone in its transaction, on one of the connections for reads.
     *
     * @throws dev.registrar.eventstore.OverloadedException if too many wait for one already
     * @throws StoreTimeoutException if none became free, or the statement took longer than it or the deadline allows
     * @throws StoreUnavailableException if the database failed, also when tried again
     */
    <T> T run(String sql, Work<T> work) {
        return retry.ifNothingWasDone(() -> {
            reads.acquire(Deadline.left(connectionTimeout));
            boolean hurried = isHurried();
            try {
                return call(
                        statementTimeout,
                        hurried,
                        connection -> hurried
                                ? inTime(connection, Deadline.left(statementTimeout), sql, work)
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
     * time of its own that the server is told.
     *
     * @throws dev.registrar.eventstore.OverloadedException if too many wait for a connection already
     * @throws StoreTimeoutException if none became free, or the statement took longer than it or the deadline allows
     * @throws StoreUnavailableException if the database failed
     */
    <T> T check(Duration most, String sql, Work<T> work) {
        reads.acquire(Deadline.left(connectionTimeout));
        try {
            // A check that takes long says nothing of the database.
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
     * Whether the caller's deadline leaves so much less than the connection allows anyway that the server is to be told
     * of it.
     */
    boolean isHurried() {
        return Deadline.left(statementTimeout).toMillis() < MOST_OF * statementTimeout.toMillis();
    }

    /** Lets the statements of the open transaction take no longer than this. */
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
    Duration leftOfDeadline() {
        return notOver(Deadline.left(statementTimeout));
    }

    private static Duration notOver(Duration left) {
        if (left.toMillis() == 0) {
            throw new StoreTimeoutException("The database was not asked: the request's deadline has passed");
        }
        return left;
    }

    private static <T> T prepared(Connection connection, String sql, Work<T> work) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.on(statement);
        }
    }

    /**
     * Calls the database once, and tells the breaker how it went.
     *
     * @param longest that the server lets its statements take together
     * @param hurried whether the call limits itself to the caller's deadline: then its timeout says nothing of the
     *     database
     * @throws SQLException if the call failed, or giving its connection back
     * @throws EventStoreException if there was no connection, so that nothing was sent; or if the call threw it
     */
    <T> T call(Duration longest, boolean hurried, Call<T> call) throws SQLException {
        if (!breaker.tryAcquirePermission()) {
            throw new StoreUnavailableException(
                    "The event store's database was not asked, since it failed too often just now",
                    CallNotPermittedException.createCallNotPermittedException(breaker),
                    FailureCategory.CONNECTION);
        }
        long started = System.nanoTime();
        try {
            T answer;
            Connection connection = connect();
            // Watched until it is given back, which may send a rollback.
            try (CallWatchdog.Watched watched = CallWatchdog.SHARED.watch(connection, longest.plus(NETWORK_MARGIN));
                    Connection mine = connection) {
                answer = call.on(mine);
                if (watched.isBroken()) {
                    throw new SQLException("The connection was given up during the call", CONNECTION_FAILURE);
                }
            }
            succeeded(started);
            return answer;
        } catch (SQLException failure) {
            tell(SqlStates.category(failure.getSQLState()), failure, started, hurried);
            throw failure;
        } catch (EventStoreException failure) {
            failure.category()
                    .ifPresentOrElse(
                            category -> tell(category, failure, started, hurried), () -> tellNothing(failure, started));
            throw failure;
        } catch (RuntimeException | Error mistake) {
            breaker.releasePermission();
            throw mistake;
        }
    }

    /**
     * Asks the database for nothing, if the circuit is not closed: whoever looks after its health so finds out that it
     * is back, also when nobody else calls.
     */
    void tryAgain() {
        switch (breaker.getState()) {
            case OPEN, HALF_OPEN -> {
                try {
                    run("select 1", PreparedStatement::execute);
                } catch (EventStoreException stillAway) {
                    // The breaker has been told.
                }
            }
            case CLOSED, DISABLED, METRICS_ONLY, FORCED_OPEN -> {}
        }
    }

    private Connection connect() {
        try {
            return connections.getConnection();
        } catch (SQLException failure) {
            if (failure.getCause() instanceof InterruptedException) {
                throw new StoreUnavailableException("Interrupted while waiting for a connection");
            }
            throw Failures.noConnection(failure, StoreConnections.reasonOf(connections));
        }
    }

    private void succeeded(long started) {
        breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
    }

    /* Whoever gave up before the database was asked knows nothing of it; other answers are the database's. */
    private void tellNothing(EventStoreException failure, long started) {
        if (failure instanceof StoreTimeoutException || failure instanceof StoreUnavailableException) {
            breaker.releasePermission();
        } else {
            succeeded(started);
        }
    }

    /* A statement that was to be quick, for a caller in a hurry, says nothing of the database if it was not. */
    private void tell(FailureCategory category, Exception failure, long started, boolean hurried) {
        if (category == FailureCategory.TIMEOUT && hurried) {
            breaker.releasePermission();
        } else if (category.isOutage()) {
            breaker.onError(System.nanoTime() - started, TimeUnit.NANOSECONDS, failure);
        } else {
            succeeded(started);
        }
        meters.failed(category);
        if (category.isLoss()) {
            forgetConnections();
        }
    }

    /* Where one connection is lost, the others of the pool probably are, too: whoever gets one next would fail as well. */
    private void forgetConnections() {
        long now = System.nanoTime();
        long last = lastEviction.get();
        if (connections instanceof HikariDataSource pool
                && now - last >= EVICTION_INTERVAL
                && lastEviction.compareAndSet(last, now)) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /**
     * Carries out an append, and again where that is safe: nothing was stored, or a key keeps it from being stored
     * twice.
     *
     * @param keyed whether each request carries an idempotency key
     */
    <T> T appending(boolean keyed, Supplier<T> append) {
        return keyed ? retry.evenIfDone(append) : retry.ifNothingWasDone(append);
    }
}
