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
 * The bytes that the chunks of all reads of one kind may take at a time. A read takes what its next chunk may need
 * before it asks the database, gives back what the chunk did not need, and gives back the rest before it reads the next
 * chunk. Reads that find too little left wait in the order of their arrival.
 */
final class ReadMemory {
    /*
     * Why reads do not block each other for ever: a read that waits for its next chunk holds nothing. What others hold is
     * given back before their next chunk, and a caller that holds several streams open makes others wait no
     * longer than their time-out.
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
     * Memory for one kind of reads.
     *
     * @param use what the reads are for
     * @param bytes that they may take together
     * @param timeout how long a read waits for its next chunk's bytes
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

    /** How many reads did not get their bytes so far, since too many waited or it took too long. */
    long refused() {
        return refused.get();
    }

    /** What a read holds before it has begun. */
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
                    "Too many reads wait for memory (limit %d, use: %s)".formatted(mostWaiting, use));
        }
        try {
            if (!free.tryAcquire(wanted, longest.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException(
                        "Other reads held the %d KB that reads may hold for longer than %s (use: %s)"
                                .formatted(units, longest, use));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** The bytes that one read holds. Any thread may end it; only the reading one takes. */
    final class Held {
        private int held;
        private boolean ended;

        private Held() {}

        /**
         * Waits for so many bytes, or for all that there are if that is less. What it held before it gives back first.
         *
         * @throws OverloadedException if as many reads wait already as may
         * @throws StoreTimeoutException if others held them for too long
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

        /** Gives back what is more than so many bytes. */
        synchronized void keep(long bytes) {
            int kept = Math.min(held, unitsOf(bytes));
            free.release(held - kept);
            held = kept;
        }

        synchronized void release() {
            free.release(held);
            held = 0;
        }

        /** Gives all back, also what is taken later. */
        synchronized void end() {
            ended = true;
            release();
        }

        private int unitsOf(long bytes) {
            return (int) Math.min(units, (bytes + UNIT - 1) / UNIT);
        }
    }
}
