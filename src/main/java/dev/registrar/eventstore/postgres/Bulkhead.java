package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many connections of the pool for one use at a time. Who finds none free waits in front of the pool, in the order
 * of arrival, where waiting costs a virtual thread and nothing else; only so many may.
 */
final class Bulkhead {
    private final String use;
    private final int connections;
    private final int mostWaiting;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    Bulkhead(String use, int connections, int mostWaiting) {
        this.use = use;
        this.connections = connections;
        this.mostWaiting = mostWaiting;
        this.free = new Semaphore(connections, true);
    }

    String use() {
        return use;
    }

    int inUse() {
        return connections - free.availablePermits();
    }

    int waiting() {
        return waiting.get();
    }

    /** How many did not get one so far, since too many waited or it took too long. */
    long refused() {
        return refused.get();
    }

    /**
     * Takes one; who got it releases it.
     *
     * @throws OverloadedException if as many wait as may
     * @throws StoreTimeoutException if none became free in time
     * @throws StoreUnavailableException if interrupted
     */
    void acquire(Duration patience) {
        try {
            if (!free.tryAcquire(0, TimeUnit.NANOSECONDS)) {
                await(patience);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for a connection for a " + use);
        }
    }

    private void await(Duration patience) throws InterruptedException {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            throw new OverloadedException(
                    "Too many requests wait for a connection for a %s (limit %d)".formatted(use, mostWaiting));
        }
        try {
            if (!free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException(
                        "No connection for a %s became free within %s".formatted(use, patience));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    void release() {
        free.release();
    }

    /** Waits until all are free, so long at most. */
    void drain(Duration most) {
        try {
            if (free.tryAcquire(connections, most.toNanos(), TimeUnit.NANOSECONDS)) {
                free.release(connections);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
