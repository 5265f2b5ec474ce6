package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the connections of the pool that one kind of calls may use at a time. When none is free, callers wait in order
 * of arrival, without entering the pool. The number of waiting callers is bounded.
 */
public final class Bulkhead {
    private final String use;
    private final int connections;
    private final int mostWaiting;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Creates a bulkhead for one kind of calls.
     *
     * @param use the kind of calls, such as {@code read}
     * @param connections the maximum number of connections in use
     * @param mostWaiting the maximum number of waiting callers
     */
    public Bulkhead(String use, int connections, int mostWaiting, MeterRegistry metrics) {
        this.use = use;
        this.connections = connections;
        this.mostWaiting = mostWaiting;
        this.free = new Semaphore(connections, true);
        Gauge.builder("registrar.store.budget.waiting", waiting::get)
                .description("Callers that wait for a connection")
                .baseUnit("callers")
                .tag("use", use)
                .register(metrics);
        Gauge.builder("registrar.store.budget.used", this::inUse)
                .description("Connections in use")
                .baseUnit("connections")
                .tag("use", use)
                .register(metrics);
        FunctionCounter.builder("registrar.store.budget.refused", refused, AtomicLong::get)
                .description("Callers that got no connection because too many were waiting or the wait timed out")
                .baseUnit("callers")
                .tag("use", use)
                .register(metrics);
    }

    private int inUse() {
        return connections - free.availablePermits();
    }

    /**
     * Takes a connection permit. The caller must release it.
     *
     * @throws OverloadedException if too many callers are waiting
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
            throw new StoreUnavailableException("Interrupted while waiting for a connection (use: %s)".formatted(use));
        }
    }

    private void await(Duration timeout) throws InterruptedException {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            throw new OverloadedException(
                    "Too many requests wait for a connection (use: %s, limit %s)".formatted(use, mostWaiting));
        }
        try {
            if (!free.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException(
                        "No connection became free within %s (use: %s)".formatted(timeout, use));
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
     * @param most the longest time to wait
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
