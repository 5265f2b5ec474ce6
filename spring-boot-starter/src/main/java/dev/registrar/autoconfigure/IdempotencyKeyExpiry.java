package dev.registrar.autoconfigure;

import dev.registrar.concurrent.ServiceThread;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically removes idempotency keys whose retention has passed, in small batches. One virtual thread runs from
 * {@link #start} until {@link #close}.
 */
final class IdempotencyKeyExpiry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeyExpiry.class);

    static final int BATCH = 1_000;

    private static final Duration FIRST_AFTER = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    private final IntUnaryOperator forget;
    private final Duration every;
    private final ServiceThread thread =
            new ServiceThread("idempotency-key-expiry", STOP_TIME, this::forgetExpiredKeys);

    private Duration pause;

    /**
     * Creates an expiry that is not started. The first round begins after 1 minute, each later one 10 minutes after the
     * previous round.
     */
    IdempotencyKeyExpiry(IntUnaryOperator forget) {
        this(forget, FIRST_AFTER, EVERY);
    }

    /**
     * Creates an expiry that is not started.
     *
     * @param forget removes at most the given number of keys, and returns the number of removed keys
     * @param every the pause between the end of a round and the next one
     */
    IdempotencyKeyExpiry(IntUnaryOperator forget, Duration firstAfter, Duration every) {
        this.forget = forget;
        this.pause = firstAfter;
        this.every = every;
    }

    /** Starts the rounds. Called once. */
    void start() {
        thread.start();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private void forgetExpiredKeys() throws InterruptedException {
        thread.pause(pause);
        pause = every;
        try {
            boolean full = true;
            while (full && !thread.isClosing()) {
                full = forget.applyAsInt(BATCH) == BATCH;
            }
        } catch (RuntimeException failure) {
            LOG.warn(
                    "Expired idempotency keys could not be removed; the next attempt is in {} s: {}",
                    every.toSeconds(),
                    failure.toString());
        }
    }

    /** Stops after the batch in progress, and waits up to 5 s for it. */
    @Override
    public void close() {
        thread.close();
    }
}
