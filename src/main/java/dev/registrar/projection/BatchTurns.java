package dev.registrar.projection;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes the live views of an instance process their batches one at a time. Otherwise all views that an append wakes
 * would take the processors from the next appends. A view waits for its turn for at most 100 ms; after that, two
 * batches run concurrently.
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

    /** Runs a batch when its turn comes, or when the maximum wait has passed. */
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
