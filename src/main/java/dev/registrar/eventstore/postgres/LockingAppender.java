package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Appends requests that hold named resources until their commit, each in a transaction of its own. */
final class LockingAppender implements AutoCloseable {
    /*
     * Why resource locks cannot deadlock: a request takes its resources first, all of them in the order of their keys,
     * and the store's lock last. Nobody who holds the store's lock waits for a resource. Such requests wait while they hold
     * a connection, so a semaphore keeps them from taking every connection of the pool from those who need none.
     */
    private final Statements statements;
    private final AppendTransaction transaction;
    private final ResourceLockKeys resources;
    private final Duration longestWait;
    private final int permits;
    private final Semaphore lockingConnections;
    private volatile boolean closed;

    LockingAppender(Statements statements, AppendTransaction transaction, StoreSettings settings) {
        this.statements = statements;
        this.transaction = transaction;
        this.resources = new ResourceLockKeys(settings.schema());
        this.longestWait = settings.statementTimeout();
        this.permits = settings.resourceLockConnections();
        this.lockingConnections = new Semaphore(permits, true);
    }

    AppendVerdict append(Append request, ResourceLocks locks) {
        if (closed) {
            throw new StoreUnavailableException("The event store is closed", null);
        }
        if (locks.timeout().compareTo(longestWait) > 0) {
            throw new RefusedInputException("An append waits at most %s for resources but was to wait %s"
                    .formatted(longestWait, locks.timeout()));
        }
        long deadline = System.nanoTime() + locks.timeout().toNanos();
        if (!acquire(1, locks.timeout())) {
            throw new StoreTimeoutException(
                    "No connection for an append with resource locks became free within " + locks.timeout(), null);
        }
        try (Connection connection = statements.connect()) {
            return append(request, locks, Duration.ofNanos(deadline - System.nanoTime()), connection);
        } catch (SQLException failure) {
            throw Failures.append(failure);
        } finally {
            lockingConnections.release();
        }
    }

    private AppendVerdict append(Append request, ResourceLocks locks, Duration remaining, Connection connection)
            throws SQLException {
        // Whatever happens now, the pool rolls back what is open and sets auto-commit again when it gets the connection
        // back.
        connection.setAutoCommit(false);
        lockResources(locks, remaining, connection);
        List<AppendVerdict> verdicts = transaction.append(connection, List.of(Entry.of(request)));
        connection.commit();
        return verdicts.getFirst();
    }

    private void lockResources(ResourceLocks locks, Duration remaining, Connection connection) {
        try {
            resources.lock(connection, locks.names(), remaining);
        } catch (SQLException failure) {
            throw Failures.lock(failure, locks);
        }
    }

    private boolean acquire(int connectionsWanted, Duration timeout) {
        try {
            return lockingConnections.tryAcquire(connectionsWanted, timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted before an append was sent", interrupted);
        }
    }

    /** Takes no more requests, and waits for those that are on their way, up to the longest time they may take. */
    @Override
    public void close() {
        closed = true;
        if (acquire(permits, longestWait.multipliedBy(2))) {
            lockingConnections.release(permits);
        }
    }
}
