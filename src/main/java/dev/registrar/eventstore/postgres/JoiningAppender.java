package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendTransaction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.append.HeldResources;
import dev.registrar.eventstore.postgres.connection.Bounds;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Appends in the caller's transaction, on the caller's connection: the events and the caller's own changes commit
 * together or not at all. For use by one thread at a time, as its connection is.
 *
 * <p>A request has the guarantees of {@link PostgresEventStore#append}: conditions, idempotency keys, resource locks,
 * limits, event ids. What differs:
 *
 * <ul>
 *   <li>The result is final, and the events are durable and visible to others, once the caller has committed. After a
 *       rollback nothing is left, and other events get the positions. No
 *       {@link dev.registrar.eventstore.AppendListener} is notified; followers find the events when they poll.
 *   <li>An append that is answered with {@link Appended}, also as a repetition, holds the store's lock until the
 *       transaction ends. All other appends wait meanwhile. So append last, and commit at once. The server ends the
 *       session, and so rolls the transaction back (SQLSTATE 25P04), at the latest after {@link #holdingLockAtMost}
 *       from the first append.
 *   <li>Nothing is repeated after a failure, and the circuit breaker does not count the calls.
 *   <li>Any result but {@link Appended}, and any exception but a lost connection, leaves the transaction as it was: it
 *       can go on, and holds no lock for the append.
 * </ul>
 *
 * <p>Each append is a savepoint and three round trips. Locks are taken in this order: the caller's own row locks, the
 * resources, the store's lock. A transaction that locks rows after its append can deadlock with one that locks them
 * before; PostgreSQL then aborts one of them. An ordinary append of the same thread, while its transaction holds the
 * store's lock, times out.
 */
public final class JoiningAppender {
    private static final Duration SHORTEST_HOLD = Duration.ofMillis(1);

    private final Connection connection;
    private final Database database;
    private final AppendTransaction transaction;
    private final ConditionChecks checks;
    private final StoreOptions options;
    private final Duration longestHold;
    private final String holdsLock;

    JoiningAppender(
            Connection connection,
            Database database,
            AppendTransaction transaction,
            ConditionChecks checks,
            StoreOptions options) {
        this(connection, database, transaction, checks, options, usualHold(options));
    }

    private JoiningAppender(
            Connection connection,
            Database database,
            AppendTransaction transaction,
            ConditionChecks checks,
            StoreOptions options,
            Duration longestHold) {
        Bounds.check("holdingLockAtMost", longestHold, SHORTEST_HOLD, options.lockTimeout());
        this.connection = connection;
        this.database = database;
        this.transaction = transaction;
        this.checks = checks;
        this.options = options;
        this.longestHold = longestHold;
        // The lock that lock_store takes, as pg_locks shows a lock of two numbers.
        this.holdsLock = """
                select exists (
                    select
                    from pg_locks lock
                    where lock.pid = pg_backend_pid()
                    and lock.locktype = 'advisory'
                    and lock.granted
                    and lock.classid = 1145258561
                    and lock.objid = '%s.events'::regclass
                    and lock.objsubid = 2
                )""".formatted(options.schema());
    }

    private static Duration usualHold(StoreOptions options) {
        Duration half = options.lockTimeout().dividedBy(2);
        return half.compareTo(SHORTEST_HOLD) < 0 ? SHORTEST_HOLD : half;
    }

    /**
     * The same with another bound on the time from the first append of a transaction to its end. The default is half of
     * the store's lock time-out, so that other appends get the lock before they give up.
     *
     * @param longest 1 ms to the store's lock time-out; a shorter transaction_timeout of the caller's own stays
     * @throws dev.registrar.eventstore.postgres.connection.InvalidOptionException if it is out of these bounds
     */
    public JoiningAppender holdingLockAtMost(Duration longest) {
        return new JoiningAppender(connection, database, transaction, checks, options, longest);
    }

    /** Appends events without a condition: see {@link #append(Append)}. */
    public AppendResult append(List<Event> events) {
        return append(Append.of(events));
    }

    /** Appends events on one condition: see {@link #append(Append)}. */
    public AppendResult append(List<Event> events, AppendCondition condition) {
        return append(Append.of(events).onCondition(condition));
    }

    /**
     * Appends all events of a request, or none, in the caller's transaction. The conditions also see the events that
     * the transaction has appended before.
     *
     * <p>The wait for the store's lock, and for each statement, is the shortest of the store's, the caller's deadline
     * and the session's own time-outs.
     *
     * @return as {@link PostgresEventStore#append}; a conflict leaves the transaction as it was
     * @throws IllegalStateException before anything is changed, if the connection is closed or in auto-commit mode; if
     *     its transaction is aborted, read-only, or not at READ COMMITTED; if the request names resources and the
     *     transaction holds the store's lock already
     * @throws RefusedInputException if the request exceeds a limit or holds text that cannot be stored
     * @throws dev.registrar.eventstore.IdempotencyKeyReusedException if the key was used with another fingerprint
     * @throws dev.registrar.eventstore.StoreTimeoutException if a lock or a statement took too long; the transaction is
     *     as it was
     * @throws dev.registrar.eventstore.StoreUnavailableException if the append failed otherwise: the transaction is as
     *     it was, or lost with its connection
     */
    public AppendResult append(Append request) {
        options.limits().check(request);
        AppendAnswer answer = checks.untilJudged(List.of(request), checked -> List.of(attempt(request, checked)))
                .getFirst();
        return PostgresEventStore.result(answer, request);
    }

    private AppendAnswer attempt(Append request, List<CheckedConditions> checked) {
        try {
            BorrowedSession session =
                    BorrowedSession.enter(connection, Deadline.left(options.lockTimeout()), database.leftOfDeadline());
            try {
                AppendAnswer answer = send(AppendEntry.of(request, checked));
                if (isStored(answer)) {
                    session.keep(longestHold);
                } else {
                    // Releases the store's lock: also before a check of conditions, which may take long.
                    session.undo();
                }
                return answer;
            } catch (SQLException | RuntimeException | Error failure) {
                session.undo(failure);
                throw failure;
            }
        } catch (SQLException failure) {
            throw Failures.joined(failure);
        }
    }

    private static boolean isStored(AppendAnswer answer) {
        return answer instanceof AppendAnswer.Judged judged && judged.result() instanceof Appended;
    }

    private AppendAnswer send(AppendEntry entry) throws SQLException {
        ResourceLocks locks = entry.request().locks();
        return locks == null ? transaction.append(connection, List.of(entry)).getFirst() : sendHolding(locks, entry);
    }

    private AppendAnswer sendHolding(ResourceLocks locks, AppendEntry entry) throws SQLException {
        if (holdsStoreLock()) {
            throw new IllegalStateException(
                    "A transaction takes resources before the store's lock, but this one has appended already: name %s in its first append"
                            .formatted(locks.names()));
        }
        if (locks.timeout().compareTo(options.statementTimeout()) > 0) {
            throw new RefusedInputException("An append waits at most %s for resources but was to wait %s"
                    .formatted(options.statementTimeout(), locks.timeout()));
        }
        HeldResources held = new HeldResources(
                locks, new ResourceLockKeys(options.schema()).keys(locks.names()), Deadline.left(locks.timeout()));
        Duration timeout = database.isHurried()
                ? database.leftOfDeadline()
                : options.statementTimeout().plusMillis(held.milliseconds());
        return transaction.appendHolding(connection, held, timeout, entry);
    }

    private boolean holdsStoreLock() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(holdsLock);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }
}
