package dev.registrar.concurrent;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time until which the current thread's work is of use to the caller that asked for it. Code that waits, or lets
 * the database work on the thread's behalf, asks how long it may. A thread has no deadline outside {@link #within} and
 * {@link #runWithin}. Threads do not inherit it.
 */
public final class Deadline {
    /* A ScopedValue would do; it is final in Java 25 only. */
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
     * Runs work under a deadline. Where work has a deadline already, the earlier of both applies.
     *
     * @param fromNow zero or less is over at once
     */
    public static <T extends @Nullable Object, X extends Exception> T within(Duration fromNow, Work<T, X> work)
            throws X {
        Long outer = END.get();
        set(earlier(fromNow, outer));
        try {
            return work.run();
        } finally {
            set(outer);
        }
    }

    /** Runs work without a value under a deadline, as {@link #within} does. */
    public static <X extends Exception, Y extends Exception> void runWithin(Duration fromNow, Action<X, Y> action)
            throws X, Y {
        Long outer = END.get();
        set(earlier(fromNow, outer));
        try {
            action.run();
        } finally {
            set(outer);
        }
    }

    /** Runs work that the current thread's deadline does not bound, such as work for other callers, too. */
    public static <T extends @Nullable Object, X extends Exception> T without(Work<T, X> work) throws X {
        Long outer = END.get();
        set(null);
        try {
            return work.run();
        } finally {
            set(outer);
        }
    }

    /** Runs work without a value that the current thread's deadline does not bound. */
    public static <X extends Exception, Y extends Exception> void runWithout(Action<X, Y> action) throws X, Y {
        Long outer = END.get();
        set(null);
        try {
            action.run();
        } finally {
            set(outer);
        }
    }

    /** When the current thread's deadline ends, in the time of {@link System#nanoTime}; null if it has none. */
    static @Nullable Long end() {
        return END.get();
    }

    /** Runs work of another thread under that thread's deadline. */
    static <T extends @Nullable Object, X extends Exception> T until(@Nullable Long end, Work<T, X> work) throws X {
        Long outer = END.get();
        set(end);
        try {
            return work.run();
        } finally {
            set(outer);
        }
    }

    private static Long earlier(Duration fromNow, @Nullable Long outer) {
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

    /** What is left of a time that begins now, unless the deadline ends it earlier. Never less than zero. */
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
