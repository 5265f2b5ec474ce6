package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendTransaction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.append.HeldResources;
import dev.registrar.eventstore.postgres.connection.Bulkhead;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Appends requests that hold named resources until their commit, each in a transaction and a round trip of its own. */
final class LockingAppender implements AutoCloseable {
    /*
     * Why resource locks cannot deadlock: a request takes its resources first, all of them in the order of their keys,
     * and the store's lock last. No holder of the store's lock waits for a resource. Such requests wait while they hold
     * a connection, so a bulkhead leaves connections of the pool to requests without resources.
     *
     * Why all is one round trip: an instance that stops between two of them would keep its locks, and with the store's
     * lock all writers of all instances waiting, until the server gives the transaction up.
     */
    private final Database database;
    private final AppendTransaction transaction;
    private final ResourceLockKeys resources;
    private final Duration longestWait;
    private final Bulkhead bulkhead;
    private volatile boolean closed;

    LockingAppender(Database database, AppendTransaction transaction, StoreOptions settings, Metrics metrics) {
        this.database = database;
        this.transaction = transaction;
        this.resources = new ResourceLockKeys(settings.schema());
        this.longestWait = settings.statementTimeout();
        this.bulkhead = new Bulkhead(
                "append with resource locks",
                settings.resourceLockConnections(),
                settings.group().maxWaiting(),
                metrics);
    }

    /**
     * Appends a request.
     *
     * @param checked how far its conditions were checked; empty if they were not
     * @param since when the caller began to wait, as {@link System#nanoTime()}: also if it is tried again
     */
    AppendAnswer append(Append request, List<CheckedConditions> checked, ResourceLocks locks, long since) {
        if (closed) {
            throw new StoreUnavailableException("The event store is closed");
        }
        if (locks.timeout().compareTo(longestWait) > 0) {
            throw new RefusedInputException("An append waits at most %s for resources but was to wait %s"
                    .formatted(longestWait, locks.timeout()));
        }
        Duration lockWait = Deadline.left(locks.timeout().minusNanos(System.nanoTime() - since));
        long end = System.nanoTime() + lockWait.toNanos();
        bulkhead.acquire(lockWait);
        boolean hurried = database.isHurried();
        try {
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
        } catch (RuntimeException | Error mistake) {
            throw new OutcomeUnknownException(
                    "An append failed unexpectedly: whether it was stored is unknown",
                    mistake,
                    FailureCategory.UNKNOWN);
        } finally {
            bulkhead.release();
        }
    }

    /** Takes no more requests, and waits for those that are on their way, up to the longest time they may take. */
    @Override
    public void close() {
        closed = true;
        bulkhead.drain(longestWait.multipliedBy(2));
    }
}
