package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

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

    private final int units;
    private final Duration timeout;
    private final Permits permits;

    /**
     * Creates the budget for one kind of reads.
     *
     * @param use the kind of reads, for meters and messages
     * @param bytes the budget in bytes
     * @param timeout how long a read waits for the memory of its next chunk
     */
    ReadMemory(String use, long bytes, int mostWaiting, Duration timeout) {
        this.units = Math.toIntExact(Math.min(bytes / UNIT, Integer.MAX_VALUE));
        this.timeout = timeout;
        this.permits = new Permits(
                "memory",
                ": %s KB in all, which a stream holds until it is read to its end or closed".formatted(units),
                use,
                units,
                mostWaiting);
    }

    void metered(MeterRegistry metrics) {
        permits.metered("registrar.store.read.memory", "bytes", UNIT, "reads", metrics);
    }

    /** A new reservation, which is empty. */
    Held nothing() {
        return new Held();
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
            permits.acquire(wanted, Deadline.left(timeout));
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
            permits.release(held - kept);
            held = kept;
        }

        synchronized boolean isEmpty() {
            return held == 0;
        }

        synchronized void release() {
            permits.release(held);
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
