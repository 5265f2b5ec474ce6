package dev.registrar.projection;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets threads work one after another, in the order of their arrival. A thread waits for its turn for a bounded time
 * only; after that, it works beside the one whose turn it is.
 */
final class Turns {
    private final Semaphore turn = new Semaphore(1, true);
    private final Duration longestWait;

    /** Turns for which a thread waits at most that long. */
    Turns(Duration longestWait) {
        this.longestWait = longestWait;
    }

    /**
     * Runs the work when its turn comes, or when the maximum wait has passed.
     *
     * @throws InterruptedException if interrupted while waiting; it does not run then
     */
    <T> T take(Supplier<T> work) throws InterruptedException {
        boolean taken = turn.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return work.get();
        } finally {
            if (taken) {
                turn.release();
            }
        }
    }
}
