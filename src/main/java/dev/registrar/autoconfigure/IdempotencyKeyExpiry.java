package dev.registrar.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets idempotency keys whose retention has passed, from time to time and in small batches. One virtual thread runs
 * from {@link #start} until {@link #close}.
 */
final class IdempotencyKeyExpiry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeyExpiry.class);

    static final int BATCH = 1_000;

    private static final Duration FIRST_AFTER = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    private final IntUnaryOperator forget;
    private final Duration firstAfter;
    private final Duration every;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofVirtual().name("idempotency-key-expiry").unstarted(this::run);

    /**
     * An expiry that is not started yet: the first round after a minute, and the others 10 minutes after each other.
     */
    IdempotencyKeyExpiry(IntUnaryOperator forget) {
        this(forget, FIRST_AFTER, EVERY);
    }

    /**
     * An expiry that is not started yet.
     *
     * @param forget takes the most keys to forget at a time, and answers how many were forgotten
     * @param every the pause between the end of a round and the next one
     */
    IdempotencyKeyExpiry(IntUnaryOperator forget, Duration firstAfter, Duration every) {
        this.forget = forget;
        this.firstAfter = firstAfter;
        this.every = every;
    }

    /** Begins to forget. Called once. */
    void start() {
        thread.start();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        try {
            for (Duration pause = firstAfter; !closing.await(pause.toNanos(), TimeUnit.NANOSECONDS); pause = every) {
                forgetExpiredKeys();
            }
        } catch (InterruptedException closed) {
            // close() interrupts a thread that has not ended in time.
        }
    }

    private void forgetExpiredKeys() {
        try {
            int forgotten;
            do {
                forgotten = forget.applyAsInt(BATCH);
            } while (forgotten == BATCH && closing.getCount() > 0);
        } catch (RuntimeException failure) {
            LOG.warn(
                    "Expired idempotency keys could not be forgotten; the next attempt is in {} s: {}",
                    every.toSeconds(),
                    failure.toString());
        }
    }

    /** Stops after the batch that is on its way, and waits up to 5 s for it. */
    @Override
    public void close() {
        closing.countDown();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(STOP_TIME)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
