package dev.registrar.projection;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets the live views of an instance process their batches one after another, so that all the views that an append
 * wakes do not take every processor from the next appends. A view waits for its turn for 100 ms at most: then two
 * batches run together.
 */
final class BatchTurns {
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private final Semaphore turn = new Semaphore(1, true);
    private final Duration longestWait;

    BatchTurns() {
        this(LONGEST_WAIT);
    }

    BatchTurns(Duration longestWait) {
        this.longestWait = longestWait;
    }

    /** Runs a batch in its turn, or when it has waited long enough. */
    <T> T take(Supplier<T> batch) throws InterruptedException {
        boolean taken = turn.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return batch.get();
        } finally {
            if (taken) {
                turn.release();
            }
        }
    }
}
