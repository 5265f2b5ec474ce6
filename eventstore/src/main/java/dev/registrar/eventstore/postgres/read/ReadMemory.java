package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A memory budget for the chunks of all reads of one kind. Before a read fetches a chunk, it reserves the largest size
 * of the chunk; afterwards it releases the unused part. It releases the rest before it fetches the next chunk. If too
 * little is free, reads wait in order of arrival.
 */
final class ReadMemory {
    /*
     * Why reads cannot deadlock: a read that waits for its next chunk holds no memory. Every other read releases its
     * memory before its next chunk. If a caller keeps several streams open, other reads wait at most for their
     * time-out. The memory of a stream that a caller forgets is free again when the stream is garbage (StreamsLeftOpen).
     */
    private static final int UNIT = 1 << 10;

    private final String use;
    private final int units;
    private final int mostWaiting;
    private final Duration timeout;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Creates the budget for one kind of reads.
     *
     * @param use the kind of reads, for meters and messages
     * @param bytes the budget in bytes
     * @param timeout how long a read waits for the memory of its next chunk
     */
    ReadMemory(String use, long bytes, int mostWaiting, Duration timeout) {
        this.use = use;
        this.units = Math.toIntExact(Math.min(bytes / UNIT, Integer.MAX_VALUE));
        this.mostWaiting = mostWaiting;
        this.timeout = timeout;
        this.free = new Semaphore(units, true);
    }

    String use() {
        return use;
    }

    long bytesInUse() {
        return (long) (units - free.availablePermits()) * UNIT;
    }

    int waiting() {
        return waiting.get();
    }

    /** The number of reads that got no memory, because too many were waiting or the wait timed out. */
    long refused() {
        return refused.get();
    }

    /** A new reservation, which is empty. */
    Held nothing() {
        return new Held();
    }

    private void acquire(int wanted) {
        try {
            if (!free.tryAcquire(wanted, 0, TimeUnit.NANOSECONDS)) {
                await(wanted, Deadline.left(timeout));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while a read waited for memory");
        }
    }

    private void await(int wanted, Duration longest) throws InterruptedException {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            throw new OverloadedException(
                    "Too many reads wait for memory (limit %s, use: %s)".formatted(mostWaiting, use));
        }
        try {
            if (!free.tryAcquire(wanted, longest.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException(
                        "A read timed out: its memory did not become free within %s (budget: %s KB, use: %s). A stream holds memory until it is read to its end or closed"
                                .formatted(longest, units, use));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /**
     * The memory reservation of one read. Only the reading thread may reserve memory; any thread may end the
     * reservation.
     */
    final class Held {
        private int held;
        private boolean ended;

        private Held() {}

        /**
         * Releases the present reservation, then waits for the given number of bytes, at most for the whole budget.
         *
         * @throws OverloadedException if too many reads are waiting
         * @throws StoreTimeoutException if the memory did not become free in time
         * @throws StoreUnavailableException if interrupted
         */
        void take(long bytes) {
            release();
            int wanted = unitsOf(bytes);
            acquire(wanted);
            synchronized (this) {
                held = wanted;
                if (ended) {
                    release();
                }
            }
        }

        /** Reduces the reservation to the given number of bytes. */
        synchronized void keep(long bytes) {
            int kept = Math.min(held, unitsOf(bytes));
            free.release(held - kept);
            held = kept;
        }

        synchronized boolean isEmpty() {
            return held == 0;
        }

        synchronized void release() {
            free.release(held);
            held = 0;
        }

        /** Ends the reservation: releases its memory, and from now on releases newly reserved memory at once. */
        synchronized void end() {
            ended = true;
            release();
        }

        private int unitsOf(long bytes) {
            return (int) Math.min(units, (bytes + UNIT - 1) / UNIT);
        }
    }
}
