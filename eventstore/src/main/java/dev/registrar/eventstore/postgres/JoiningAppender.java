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
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.options.Bounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Appends in the caller's transaction, on the caller's connection: the events and the caller's own changes commit
 * together or not at all. Like its connection, it must be used by one thread at a time.
 *
 * <p>A request has the guarantees of {@link PostgresEventStore#append} for conditions, idempotency keys, resource
 * locks, limits and event ids. The differences are:
 *
 * <ul>
 *   <li>The result is final, and the events are durable and visible to others, once the caller has committed. After a
 *       rollback nothing remains, and other events get the positions. No
 *       {@link dev.registrar.eventstore.AppendListener} is notified; followers find the events when they poll.
 *   <li>An append with the result {@link Appended}, also a repetition, holds the store's lock until the transaction
 *       ends. All other appends wait meanwhile. So append last, and commit at once. The server ends the session and
 *       rolls the transaction back (SQLSTATE 25P04) if the time since the first append exceeds
 *       {@link #holdingLockAtMost}.
 *   <li>Failed calls are not repeated, and the circuit breaker does not count the calls.
 *   <li>Any other result, and any exception except for a lost connection, leaves the transaction unchanged: it stays
 *       usable and holds no lock for the append.
 * </ul>
 *
 * <p>Each append costs a savepoint and three round trips. Locks are taken in this order: the caller's own row locks,
 * the resource locks, the store's lock. A transaction that locks rows after its append can deadlock with one that locks
 * them before it; PostgreSQL then aborts one of them. While the transaction holds the store's lock, an ordinary append
 * by the same thread times out.
 */
public final class JoiningAppender {
    private final PostgresEventStore store;
    private final Connection connection;
    private final Database database;
    private final AppendFunction function;
    private final StoreOptions options;
    private final Duration longestHold;

    JoiningAppender(
            PostgresEventStore store,
            Connection connection,
            Database database,
            AppendFunction function,
            StoreOptions options,
            Duration longestHold) {
        Bounds.check("holdingLockAtMost", longestHold, Duration.ofMillis(1), options.lockTimeout());
        this.store = store;
        this.connection = connection;
        this.database = database;
        this.function = function;
        this.options = options;
        this.longestHold = longestHold;
    }

    /**
     * An appender with another bound on the time from the first append of a transaction to its end. The default is half
     * of the store's lock time-out, so that waiting appends get the lock before they time out.
     *
     * @param longest 1 ms to the store's lock time-out; a shorter transaction_timeout of the caller stays in effect
     * @throws dev.registrar.options.InvalidOptionException if the bound is out of range
     */
    public JoiningAppender holdingLockAtMost(Duration longest) {
        return new JoiningAppender(store, connection, database, function, options, longest);
    }

    /** Appends events without a condition; see {@link #append(Append)}. */
    public AppendResult append(List<Event> events) {
        return append(Append.of(events));
    }

    /** Appends events on one condition; see {@link #append(Append)}. */
    public AppendResult append(List<Event> events, AppendCondition condition) {
        return append(Append.of(events).onCondition(condition));
    }

    /**
     * Appends all events of a request, or none, in the caller's transaction. The conditions also see events that the
     * transaction has appended earlier.
     *
     * <p>The shortest of the store's time-outs, the caller's deadline and the session's own time-outs bounds the wait
     * for the store's lock and each statement.
     *
     * @return the same results as {@link PostgresEventStore#append}; a conflict leaves the transaction unchanged
     * @throws IllegalStateException if the connection is closed or in auto-commit mode; if its transaction is aborted,
     *     read-only, or not at READ COMMITTED; or if the request has resource locks and the transaction already holds
     *     the store's lock. Nothing was changed
     * @throws RefusedInputException if the request exceeds a limit or contains text that cannot be stored
     * @throws dev.registrar.eventstore.IdempotencyKeyReusedException if the key was used with another fingerprint
     * @throws dev.registrar.eventstore.StoreTimeoutException if a lock or a statement timed out; the transaction is
     *     unchanged
     * @throws dev.registrar.eventstore.StoreUnavailableException if the append failed for another reason; the
     *     transaction is unchanged, or lost with its connection
     */
    public AppendResult append(Append request) {
        options.check(request);
        List<AppendAnswer> answers = store.judged(List.of(request), checked -> List.of(attempt(request, checked)));
        return PostgresEventStore.result(answers.getFirst(), request);
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
                    // Releases the store's lock, also before a condition check, which may take long.
                    session.undo();
                }
                return answer;
            } catch (SQLException | RuntimeException | Error failure) {
                BorrowedSession.undo(connection, failure);
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
        return locks == null
                ? function.append(connection, List.of(entry)).getFirst()
                : function.appendWaiting(connection, entry, locks);
    }
}
