package dev.registrar.concurrent;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Repeats calls after transient failures, with the pauses of a back-off. The event store repeats its own calls; an
 * application repeats its calls of other systems. Repeat only idempotent calls.
 *
 * <p>A call is not repeated if the caller's {@link Deadline} would pass during the pause, or if the caller was
 * interrupted. The last failure is then thrown at once. Place a circuit breaker within the retry, so that it sees each
 * attempt.
 *
 * @param maxRetries the number of attempts after the first one, 0 to 100
 * @param pauses the pauses between the attempts
 * @param repeats whether a call with this failure may be repeated
 */
public record Retry(int maxRetries, BackOff pauses, Predicate<? super Exception> repeats) {

    public Retry {
        if (maxRetries < 0 || maxRetries > 100) {
            throw new IllegalArgumentException("maxRetries must be 0 to 100 but is %s".formatted(maxRetries));
        }
    }

    /**
     * Calls until a call succeeds, fails in a way that must not be repeated, or was repeated {@code maxRetries} times.
     *
     * @throws X the last failure
     */
    public <T extends @Nullable Object, X extends Exception> T call(Deadline.Work<T, X> call) throws X {
        return call(call, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeRepetition is run before each attempt but the first
     */
    public <T extends @Nullable Object, X extends Exception> T call(Deadline.Work<T, X> call, Runnable beforeRepetition)
            throws X {
        for (int failures = 1; ; failures++) {
            try {
                return call.run();
            } catch (Exception failure) {
                if (failures > maxRetries || !repeats.test(failure) || !paused(pauses.after(failures))) {
                    throw failure;
                }
            }
            beforeRepetition.run();
        }
    }

    /*
     * False if the deadline would pass during the pause, or if the caller was interrupted; the interrupt flag stays
     * set.
     */
    private static boolean paused(Duration pause) {
        if (Deadline.left(pause).compareTo(pause) < 0) {
            return false;
        }
        try {
            // A plain sleep: there is no condition to wait for, and an interrupt ends it.
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
