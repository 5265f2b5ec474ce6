package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how many connections of the pool one use takes at a time. A caller that finds none free waits in front of the
 * pool, in order of arrival; the number of waiting callers is bounded. Waiting costs no more than a virtual thread.
 */
public final class Bulkhead {
    private final String use;
    private final int connections;
    private final int mostWaiting;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /**
     * A bulkhead for one use of connections.
     *
     * @param use of the connections, such as {@code read}
     * @param connections that the use may take at a time
     * @param mostWaiting callers that may wait for one of them
     */
    public Bulkhead(String use, int connections, int mostWaiting, Metrics metrics) {
        this.use = use;
        this.connections = connections;
        this.mostWaiting = mostWaiting;
        this.free = new Semaphore(connections, true);
        metrics.gauge(
                meter("registrar.store.budget.waiting", "Callers that wait for a connection", "callers"), waiting::get);
        metrics.gauge(meter("registrar.store.budget.used", "Connections in use", "connections"), this::inUse);
        metrics.count(
                meter(
                        "registrar.store.budget.refused",
                        "Callers that did not get a connection: too many waited, or it took too long",
                        "callers"),
                refused,
                AtomicLong::get);
    }

    private Meter meter(String name, String description, String unit) {
        return Meter.of(name, description).in(unit).tagged("use", use);
    }

    private int inUse() {
        return connections - free.availablePermits();
    }

    /**
     * Takes one of the connections. The caller releases it.
     *
     * @throws OverloadedException if too many callers wait already
     * @throws StoreTimeoutException if no connection became free in time
     * @throws StoreUnavailableException if interrupted
     */
    public void acquire(Duration timeout) {
        try {
            if (!free.tryAcquire(0, TimeUnit.NANOSECONDS)) {
                await(timeout);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for a connection for a " + use);
        }
    }

    private void await(Duration timeout) throws InterruptedException {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            throw new OverloadedException(
                    "Too many requests wait for a connection for a %s (limit %d)".formatted(use, mostWaiting));
        }
        try {
            if (!free.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException("No connection for a %s became free within %s".formatted(use, timeout));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    public void release() {
        free.release();
    }

    /**
     * Waits until all connections are free.
     *
     * @param most time to wait
     */
    public void drain(Duration most) {
        try {
            if (free.tryAcquire(connections, most.toNanos(), TimeUnit.NANOSECONDS)) {
                free.release(connections);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
