package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Appends to PostgreSQL, each request in a transaction of its own. */
final class Appender {
    /*
     * Why no order of commits can mislead a condition: the stored function takes the store's one advisory lock before it
     * looks, and PostgreSQL releases it only when the transaction has committed. So positions are drawn, and become
     * visible, in one order; whoever has seen a position has seen every lower one; and "nothing matches after p" is exact.
     *
     * Why resource locks cannot deadlock: a request takes its resources first, all of them in the order of their keys,
     * and the store's lock last. Nobody who holds the store's lock waits for a resource. Such requests wait while they hold
     * a connection, so a semaphore keeps them from taking every connection of the pool from those who need none.
     */
    private final DataSource connections;
    private final AppendFunction function;
    private final ResourceLockKeys resources;
    private final InstantSource clock;
    private final IdempotencyKeys keys;
    private final Duration longestWait;
    private final Semaphore lockingConnections;

    Appender(DataSource connections, StoreSettings settings, IdempotencyKeys keys, InstantSource clock) {
        this.connections = connections;
        this.function = new AppendFunction(settings.schema());
        this.resources = new ResourceLockKeys(settings.schema());
        this.keys = keys;
        this.clock = clock;
        this.longestWait = settings.statementTimeout();
        this.lockingConnections = new Semaphore(settings.resourceLockConnections(), true);
    }

    AppendResult append(Append request) {
        AppendVerdict verdict =
                request.locks() == null ? appendAlone(request) : appendHolding(request.locks(), request);
        return switch (verdict) {
            case AppendVerdict.Judged judged -> judged.result();
            case AppendVerdict.KeyReused reused -> throw reused(request.idempotencyKey());
        };
    }

    private AppendVerdict appendAlone(Append request) {
        try (Connection connection = connect()) {
            return call(connection, request);
        } catch (SQLException failure) {
            throw Failures.append(failure);
        }
    }

    private AppendVerdict appendHolding(ResourceLocks locks, Append request) {
        if (locks.timeout().compareTo(longestWait) > 0) {
            throw new RefusedInputException("An append waits at most %s for resources but was to wait %s"
                    .formatted(longestWait, locks.timeout()));
        }
        long deadline = System.nanoTime() + locks.timeout().toNanos();
        if (!acquire(locks.timeout())) {
            throw new StoreTimeoutException(
                    "No connection for an append with resource locks became free within " + locks.timeout(), null);
        }
        try (Connection connection = connect()) {
            return appendHolding(locks, Duration.ofNanos(deadline - System.nanoTime()), request, connection);
        } catch (SQLException failure) {
            throw Failures.append(failure);
        } finally {
            lockingConnections.release();
        }
    }

    private AppendVerdict appendHolding(ResourceLocks locks, Duration remaining, Append request, Connection connection)
            throws SQLException {
        // Whatever happens now, the pool rolls back what is open and sets auto-commit again when it gets the connection
        // back.
        connection.setAutoCommit(false);
        lockResources(locks, remaining, connection);
        AppendVerdict verdict = call(connection, request);
        connection.commit();
        return verdict;
    }

    private void lockResources(ResourceLocks locks, Duration remaining, Connection connection) {
        try {
            resources.lock(connection, locks.names(), remaining);
        } catch (SQLException failure) {
            throw Failures.lock(failure, locks);
        }
    }

    private AppendVerdict call(Connection connection, Append request) throws SQLException {
        // The driver would round to what PostgreSQL keeps, and an event must not come from the future.
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return function.call(connection, List.of(request), now, keys.expiredAt(now))
                .getFirst();
    }

    private Connection connect() {
        try {
            return connections.getConnection();
        } catch (SQLException failure) {
            throw Failures.noConnection(failure);
        }
    }

    private static RuntimeException reused(@Nullable IdempotencyKey key) {
        return key == null
                ? new IllegalStateException("append_events found a key reused in a request without one")
                : new IdempotencyKeyReusedException(key);
    }

    private boolean acquire(Duration timeout) {
        try {
            return lockingConnections.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted before an append was sent", interrupted);
        }
    }
}
