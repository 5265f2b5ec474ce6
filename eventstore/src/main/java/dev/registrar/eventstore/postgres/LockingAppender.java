package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Appends requests that hold named resources until their commit: in a group, if the resources are free, and otherwise
 * each in a transaction of its own that waits for them.
 */
final class LockingAppender implements AutoCloseable {
    /*
     * Why resource locks cannot deadlock: a transaction takes its resource locks first, in the order of their keys, and
     * the store's lock last. No holder of the store's lock waits for a resource lock. A group does not wait for resource
     * locks at all. Requests that wait for a resource hold a connection, so permits reserve the other connections of the
     * pool.
     *
     * Why everything is one round trip: if an instance stopped between two round trips, its locks would stay until the
     * server ends the transaction. With the store's lock among them, all writers of all instances would wait.
     *
     * Why groups do not overtake: PostgreSQL does not give a lock to a session that does not wait while others wait for
     * it. If a resource of a group's request is held, the group appends its other requests, and this one then waits
     * alone.
     */
    private final Database database;
    private final AppendFunction function;
    private final GroupAppender groups;
    private final Duration longestCall;
    private final Permits connections;
    private volatile boolean closed;

    LockingAppender(
            Database database,
            AppendFunction function,
            GroupAppender groups,
            StoreOptions settings,
            MeterRegistry metrics) {
        this.database = database;
        this.function = function;
        this.groups = groups;
        this.longestCall = settings.statementTimeout();
        this.connections = Permits.ofConnections(
                "append with resource locks",
                settings.resourceLockConnections(),
                settings.group().maxWaiting(),
                metrics);
    }

    /**
     * Appends a request, as {@link GroupAppender#append} does.
     *
     * @param checked its checked conditions; empty if they were not checked
     * @param bytes the size of all payloads and metadata
     * @param locks its resource locks, whose time-out bounds the waits until they are held
     */
    AppendAnswer append(Append request, List<CheckedConditions> checked, long bytes, ResourceLocks locks) {
        return Deadline.within(locks.timeout(), () -> {
            AppendAnswer answer =
                    groups.append(List.of(request), checked, bytes).getFirst();
            return answer instanceof AppendAnswer.ResourceHeld
                    ? appendWaiting(AppendEntry.of(request, checked), locks)
                    : answer;
        });
    }

    private AppendAnswer appendWaiting(AppendEntry entry, ResourceLocks locks) {
        return connections.within(Deadline.left(locks.timeout()), () -> {
            if (closed) {
                throw new StoreUnavailableException("The event store is closed");
            }
            try {
                // A long wait for a resource is not a database failure, so it must not count for the circuit breaker.
                return database.call(longestCall, true, connection -> function.appendWaiting(connection, entry, locks));
            } catch (SQLException failure) {
                throw Failures.append(failure);
            } catch (EventStoreException failure) {
                throw failure;
            } catch (RuntimeException | Error error) {
                throw new OutcomeUnknownException(
                        "Unexpected error in an append; whether it was stored is unknown",
                        error,
                        FailureCategory.UNKNOWN);
            }
        });
    }

    /** Accepts no more requests, and waits for those in flight, at most for the longest time that they may take. */
    @Override
    public void close() {
        closed = true;
        connections.drain(longestCall);
    }
}
