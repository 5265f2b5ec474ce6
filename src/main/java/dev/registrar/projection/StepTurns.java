package dev.registrar.projection;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Has the live views of an instance step one after another, so that all that an append wakes do not take every
 * processor from the next appends at once. Nobody waits long for a step that does not end: then two go on together.
 */
final class StepTurns {
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private final Semaphore turn = new Semaphore(1, true);
    private final Duration longestWait;

    StepTurns() {
        this(LONGEST_WAIT);
    }

    StepTurns(Duration longestWait) {
        this.longestWait = longestWait;
    }

    <T> T take(Supplier<T> step) throws InterruptedException {
        boolean taken = turn.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return step.get();
        } finally {
            if (taken) {
                turn.release();
            }
        }
    }
}
