package dev.registrar.concurrent;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The current thread's deadline: after it, the caller no longer needs the result. Code that waits or calls the database
 * limits its time with {@link #left}. A thread has a deadline only inside {@link #within} and {@link #runWithin}.
 * Threads do not inherit deadlines.
 */
public final class Deadline {
    /* Not a ScopedValue: that API is final only since Java 25. */
    private static final ThreadLocal<@Nullable Long> END = new ThreadLocal<>();

    private Deadline() {}

    /** Work with a value. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }

    /** Work without a value. */
    @FunctionalInterface
    public interface Action<X extends Exception, Y extends Exception> {
        void run() throws X, Y;
    }

    /**
     * Runs work under a deadline. If the thread has a deadline already, the earlier one applies.
     *
     * @param fromNow the time until the deadline; with zero or less the deadline has passed
     */
    public static <T extends @Nullable Object, X extends Exception> T within(Duration fromNow, Work<T, X> work)
            throws X {
        return until(earlier(fromNow), work);
    }

    /** Runs work without a value under a deadline, as {@link #within} does. */
    public static <X extends Exception, Y extends Exception> void runWithin(Duration fromNow, Action<X, Y> action)
            throws X, Y {
        runUntil(earlier(fromNow), action);
    }

    /** Runs work without a value and without the current thread's deadline, such as work for several callers. */
    public static <X extends Exception, Y extends Exception> void runWithout(Action<X, Y> action) throws X, Y {
        runUntil(null, action);
    }

    private static <X extends Exception, Y extends Exception> void runUntil(@Nullable Long end, Action<X, Y> action)
            throws X, Y {
        Long outer = END.get();
        set(end);
        try {
            action.run();
        } finally {
            set(outer);
        }
    }

    /** The current thread's deadline as a value of {@link System#nanoTime}; null if it has none. */
    public static @Nullable Long end() {
        return END.get();
    }

    /** Runs work under the deadline of another thread, or without one; see {@link #end}. */
    public static <T extends @Nullable Object, X extends Exception> T until(@Nullable Long end, Work<T, X> work)
            throws X {
        Long outer = END.get();
        set(end);
        try {
            return work.run();
        } finally {
            set(outer);
        }
    }

    private static Long earlier(Duration fromNow) {
        Long outer = END.get();
        long end = System.nanoTime() + fromNow.toNanos();
        return outer == null || end - outer < 0 ? Long.valueOf(end) : outer;
    }

    private static void set(@Nullable Long end) {
        if (end == null) {
            END.remove();
        } else {
            END.set(end);
        }
    }

    /** The shorter of a duration and the time left until the deadline; never negative. */
    public static Duration left(Duration most) {
        Long end = END.get();
        if (end == null) {
            return most;
        }
        long left = end - System.nanoTime();
        return left >= most.toNanos() ? most : Duration.ofNanos(Math.max(0, left));
    }

    /** Whether the deadline has passed; false if there is none. */
    public static boolean isOver() {
        Long end = END.get();
        return end != null && end - System.nanoTime() <= 0;
    }
}
