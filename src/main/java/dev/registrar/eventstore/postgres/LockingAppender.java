package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Deadline;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Appends requests that hold named resources until their commit, each in a transaction of its own. */
final class LockingAppender implements AutoCloseable {
    /*
     * Why resource locks cannot deadlock: a request takes its resources first, all of them in the order of their keys,
     * and the store's lock last. Nobody who holds the store's lock waits for a resource. Such requests wait while they hold
     * a connection, so a budget keeps them from taking every connection of the pool from those who need none.
     */
    private final Database database;
    private final AppendTransaction transaction;
    private final ResourceLockKeys resources;
    private final Duration longestWait;
    private final Budget budget;
    private volatile boolean closed;

    LockingAppender(Database database, AppendTransaction transaction, StoreSettings settings, StoreMeters meters) {
        this.database = database;
        this.transaction = transaction;
        this.resources = new ResourceLockKeys(settings.schema());
        this.longestWait = settings.statementTimeout();
        this.budget = new Budget(
                "append with resource locks",
                settings.resourceLockConnections(),
                settings.group().maxWaiting());
        meters.budget(budget);
    }

    /**
     * Appends a request.
     *
     * @param checked how far its conditions were checked; empty if they were not
     * @param since when the caller began to wait, as {@link System#nanoTime()}: also if it is tried again
     */
    AppendVerdict append(Append request, List<CheckedConditions> checked, ResourceLocks locks, long since) {
        if (closed) {
            throw new StoreUnavailableException("The event store is closed");
        }
        if (locks.timeout().compareTo(longestWait) > 0) {
            throw new RefusedInputException("An append waits at most %s for resources but was to wait %s"
                    .formatted(longestWait, locks.timeout()));
        }
        Duration patience = Deadline.left(locks.timeout().minusNanos(System.nanoTime() - since));
        long end = System.nanoTime() + patience.toNanos();
        budget.acquire(patience);
        boolean hurried = database.isHurried();
        try {
            return database.call(longestWait.multipliedBy(2), hurried, connection -> {
                // Whatever happens now, the pool rolls back what is open and sets auto-commit again when it gets the
                // connection back.
                connection.setAutoCommit(false);
                if (hurried) {
                    database.limitToDeadline(connection);
                }
                return append(Entry.of(request, checked), locks, Duration.ofNanos(end - System.nanoTime()), connection);
            });
        } catch (SQLException failure) {
            throw Failures.append(failure);
        } finally {
            budget.release();
        }
    }

    private AppendVerdict append(Entry entry, ResourceLocks locks, Duration remaining, Connection connection)
            throws SQLException {
        lockResources(locks, remaining, connection);
        List<AppendVerdict> verdicts = transaction.append(connection, List.of(entry));
        connection.clearWarnings();
        connection.commit();
        Failures.requireNoWarning(connection.getWarnings());
        return verdicts.getFirst();
    }

    private void lockResources(ResourceLocks locks, Duration remaining, Connection connection) {
        try {
            resources.lock(connection, locks.names(), remaining);
        } catch (SQLException failure) {
            throw Failures.lock(failure, locks);
        }
    }

    /** Takes no more requests, and waits for those that are on their way, up to the longest time they may take. */
    @Override
    public void close() {
        closed = true;
        budget.drain(longestWait.multipliedBy(2));
    }
}
