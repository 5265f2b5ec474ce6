package dev.registrar.concurrent;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Repeats calls that failed in passing, after the pauses of a back-off. The event store repeats its own calls; this is
 * for others, such as those of another server. Repeat only calls that have no effect, or whose effect is the same when
 * they are carried out twice.
 *
 * <p>A call is not repeated when the caller's {@link Deadline} would pass during the pause, or when the caller was
 * interrupted: then its last failure is thrown at once. Outside, a {@code CircuitBreaker} belongs within the retry, so
 * that it sees each attempt.
 *
 * @param maxRetries after the first attempt, 0 to 100
 * @param pauses between the attempts
 * @param repeats whether a call that failed so may be repeated
 */
public record Retry(int maxRetries, BackOff pauses, Predicate<? super Exception> repeats) {

    public Retry {
        if (maxRetries < 0 || maxRetries > 100) {
            throw new IllegalArgumentException("maxRetries must be 0 to 100 but is %d".formatted(maxRetries));
        }
    }

    /**
     * Calls until a call succeeds, fails in a way that is not repeated, or was repeated often enough.
     *
     * @throws X the last failure
     */
    public <T extends @Nullable Object, X extends Exception> T call(Deadline.Work<T, X> call) throws X {
        for (int failures = 1; ; failures++) {
            try {
                return call.run();
            } catch (Exception failure) {
                if (failures > maxRetries || !repeats.test(failure) || !paused(pauses.after(failures))) {
                    throw failure;
                }
            }
        }
    }

    /* False if the caller was interrupted, which stays so. */
    private static boolean paused(Duration pause) {
        if (Deadline.left(pause).compareTo(pause) < 0) {
            return false;
        }
        try {
            // The pause itself is wanted: there is no condition to wait for, and an interrupt ends it.
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
