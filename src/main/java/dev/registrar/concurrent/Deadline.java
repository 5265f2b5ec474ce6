package dev.registrar.concurrent;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Until when the current thread's work is of use to whoever asked for it. Who waits or lets the database work on the
 * thread's behalf asks how long it may; where nobody set a deadline there is none.
 */
public final class Deadline {
    private static final ThreadLocal<@Nullable Long> END = new ThreadLocal<>();

    private Deadline() {}

    /** Sets the current thread's deadline, until {@link #clear()}. */
    public static void set(Duration fromNow) {
        END.set(System.nanoTime() + fromNow.toNanos());
    }

    public static void clear() {
        END.remove();
    }

    /** What is left of a time that has just begun: the deadline may end it early. Never less than zero. */
    public static Duration left(Duration most) {
        Long end = END.get();
        if (end == null) {
            return most;
        }
        long left = end - System.nanoTime();
        return left >= most.toNanos() ? most : Duration.ofNanos(Math.max(0, left));
    }

    /** Whether it has passed. */
    public static boolean isOver() {
        Long end = END.get();
        return end != null && end - System.nanoTime() <= 0;
    }

    /** Runs what is done for others as well, whom the current thread's own deadline does not concern. */
    public static <T> T disregarded(Supplier<T> work) {
        Long end = END.get();
        if (end == null) {
            return work.get();
        }
        END.remove();
        try {
            return work.get();
        } finally {
            END.set(end);
        }
    }
}
