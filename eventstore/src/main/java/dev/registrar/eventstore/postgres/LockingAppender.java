package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendTransaction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.append.HeldResources;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends requests that hold named resources until their commit: in groups, while the resources are free, and each in a
 * transaction of its own that waits for them otherwise.
 */
final class LockingAppender implements AutoCloseable {
    /*
     * Why resource locks cannot deadlock: a request takes its resource locks first, in the order of their keys, and the
     * store's lock last. No holder of the store's lock waits for a resource lock. A group does not wait for resource locks
     * at all. Requests that wait for a resource hold a connection, so permits reserve the other connections of the pool.
     *
     * Why everything is one round trip: if an instance stopped between two round trips, its locks would stay until the
     * server ends the transaction. With the store's lock among them, all writers of all instances would wait.
     *
     * Why groups do not overtake: PostgreSQL does not give a lock to a session that does not wait while others wait for it.
     * If one resource of a group is held, the transaction appends nothing. Its requests that need the resource then wait,
     * each alone; the others are sent again.
     */
    private final Database database;
    private final AppendTransaction transaction;
    private final ResourceLockKeys resources;
    private final Duration longestWait;
    /** Null if there is only one connection: it is for requests that wait. */
    private final @Nullable GroupAppender groups;

    private final Permits connections;
    private volatile boolean closed;

    LockingAppender(
            Database database,
            AppendTransaction transaction,
            StoreOptions settings,
            StoreMeters meters,
            MeterRegistry metrics) {
        this.database = database;
        this.transaction = transaction;
        this.resources = new ResourceLockKeys(settings.schema());
        this.longestWait = settings.statementTimeout();
        int most = settings.resourceLockConnections();
        this.groups = most == 1
                ? null
                : new GroupAppender(database, this::sendIfFree, settings.group().oneInFlight(), longestWait, meters);
        this.connections = Permits.ofConnections(
                "append with resource locks",
                groups == null ? most : most - 1,
                settings.group().maxWaiting(),
                metrics);
    }

    private List<AppendAnswer> sendIfFree(Connection connection, List<AppendEntry> group) throws SQLException {
        return transaction.appendIfFree(
                connection,
                group,
                group.stream().map(entry -> keys(entry.request())).toList());
    }

    private long[] keys(Append request) {
        ResourceLocks locks = request.locks();
        return locks == null ? new long[0] : resources.keys(locks.names());
    }

    /** Requests that wait for their group. */
    int waiting() {
        return groups == null ? 0 : groups.waiting();
    }

    /**
     * Appends a request.
     *
     * @param checked the checked conditions of the request; empty if they were not checked
     * @param bytes the size of all payloads and metadata
     * @param since when the caller started to wait, as {@link System#nanoTime()}; the same value for all attempts,
     *     unless a check of the conditions came before
     */
    AppendAnswer append(Append request, List<CheckedConditions> checked, long bytes, ResourceLocks locks, long since) {
        refuseIfClosed();
        if (locks.timeout().compareTo(longestWait) > 0) {
            throw new RefusedInputException("The timeout of resource locks must be at most %s but is %s"
                    .formatted(longestWait, locks.timeout()));
        }
        if (groups != null) {
            AppendAnswer answer = groups.append(List.of(request), checked, bytes, left(locks, since))
                    .getFirst();
            if (!(answer instanceof AppendAnswer.ResourceHeld)) {
                return answer;
            }
        }
        return appendWaiting(request, checked, locks, left(locks, since));
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new StoreUnavailableException("The event store is closed");
        }
    }

    private static Duration left(ResourceLocks locks, long since) {
        Duration left = locks.timeout().minusNanos(System.nanoTime() - since);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private AppendAnswer appendWaiting(
            Append request, List<CheckedConditions> checked, ResourceLocks locks, Duration left) {
        Duration lockWait = Deadline.left(left);
        long end = System.nanoTime() + lockWait.toNanos();
        connections.acquire(1, lockWait);
        boolean hurried = database.isHurried();
        try {
            // Again: close() may have found all connections free since.
            refuseIfClosed();
            return database.call(longestWait.multipliedBy(2), hurried, connection -> {
                HeldResources held = new HeldResources(
                        locks, resources.keys(locks.names()), Duration.ofNanos(end - System.nanoTime()));
                Duration timeout = hurried ? database.leftOfDeadline() : longestWait.plusMillis(held.milliseconds());
                return transaction.appendHolding(connection, held, timeout, AppendEntry.of(request, checked));
            });
        } catch (SQLException failure) {
            throw Failures.append(failure);
        } catch (EventStoreException failure) {
            throw failure;
        } catch (RuntimeException | Error error) {
            throw new OutcomeUnknownException(
                    "Unexpected error in an append; whether it was stored is unknown", error, FailureCategory.UNKNOWN);
        } finally {
            connections.release(1);
        }
    }

    /** Accepts no more requests, and waits for those in flight, at most for the longest time that they may take. */
    @Override
    public void close() {
        closed = true;
        if (groups != null) {
            groups.close();
        }
        connections.drain(longestWait.multipliedBy(2));
    }
}
