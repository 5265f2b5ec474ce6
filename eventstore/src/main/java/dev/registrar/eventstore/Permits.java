package dev.registrar.eventstore;

import dev.registrar.concurrent.Deadline;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how much of a resource is in use at a time, such as connections of a pool or kilobytes of memory. When too
 * little is free, callers wait in order of arrival. The number of waiting callers and the time of each wait are
 * bounded.
 */
public final class Permits {
    private final String resource;
    private final String hint;
    private final String use;
    private final int most;
    private final int mostWaiting;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Creates the permits of a resource for one kind of calls.
     *
     * @param resource what is permitted, for messages, such as {@code a connection}
     * @param use the kind of calls, for messages and meters, such as {@code read}
     * @param most the maximum number of permits in use
     * @param mostWaiting the maximum number of waiting callers; 0 to refuse a caller at once when too little is free
     */
    public Permits(String resource, String use, int most, int mostWaiting) {
        this(resource, "", use, most, mostWaiting);
    }

    /**
     * Creates the permits of a resource for one kind of calls.
     *
     * @param hint ends messages: what may have taken the permits
     */
    public Permits(String resource, String hint, String use, int most, int mostWaiting) {
        this.resource = resource;
        this.hint = hint;
        this.use = use;
        this.most = most;
        this.mostWaiting = mostWaiting;
        this.free = new Semaphore(most, true);
    }

    /**
     * Creates the permits for connections to the store's database, with meters.
     *
     * @param use the kind of calls, such as {@code read}
     */
    public static Permits ofConnections(String use, int most, int mostWaiting, MeterRegistry meters) {
        return new Permits("a connection", use, most, mostWaiting)
                .metered("registrar.store.budget", "connections", 1, "callers", meters);
    }

    /**
     * Creates the permits for in-memory projections, with meters. When all are in use, a projection is refused at once.
     */
    public static Permits ofProjections(int most, MeterRegistry meters) {
        return new Permits("a projection", "project", most, 0)
                .metered("registrar.store.projections", "projections", 1, "projections", meters);
    }

    /**
     * Registers the meters {@code used}, {@code waiting} and {@code refused}, tagged with the use.
     *
     * @param prefix of their names, such as {@code registrar.store.budget}
     * @param unit of {@code used}
     * @param size of a permit in that unit
     * @param callers the unit of the others
     */
    public Permits metered(String prefix, String unit, int size, String callers, MeterRegistry meters) {
        Gauge.builder(prefix + ".used", () -> (long) used() * size)
                .description("Permitted %s in use".formatted(unit))
                .baseUnit(unit)
                .tag("use", use)
                .register(meters);
        Gauge.builder(prefix + ".waiting", waiting::get)
                .description("Callers that wait for %s".formatted(resource))
                .baseUnit(callers)
                .tag("use", use)
                .register(meters);
        FunctionCounter.builder(prefix + ".refused", refused, AtomicLong::get)
                .description("Callers that did not get %s because too many were waiting or the wait timed out"
                        .formatted(resource))
                .baseUnit(callers)
                .tag("use", use)
                .register(meters);
        return this;
    }

    /** The number of permits in use. */
    public int used() {
        return most - free.availablePermits();
    }

    /**
     * Runs work with one permit; see {@link #acquire}.
     *
     * @throws X if the work threw it
     */
    public <T extends @Nullable Object, X extends Exception> T within(Duration longest, Deadline.Work<T, X> work)
            throws X {
        acquire(1, longest);
        try {
            return work.run();
        } finally {
            release(1);
        }
    }

    /**
     * Takes permits. The caller must release them.
     *
     * @param longest the longest time to wait; with zero or less the caller does not wait
     * @throws OverloadedException if too many callers are waiting
     * @throws StoreTimeoutException if too few permits became free in time
     * @throws StoreUnavailableException if interrupted
     */
    public void acquire(int permits, Duration longest) {
        try {
            // A fair attempt, which does not overtake waiting callers.
            if (!free.tryAcquire(permits, 0, TimeUnit.NANOSECONDS)) {
                await(permits, longest);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for %s (use: %s)".formatted(resource, use));
        }
    }

    private void await(int permits, Duration longest) throws InterruptedException {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            throw new OverloadedException(
                    mostWaiting == 0
                            ? "Too many concurrent requests for %s (limit %s)%s".formatted(resource, most, hint)
                            : "Too many requests wait for %s (use: %s, limit %s)%s"
                                    .formatted(resource, use, mostWaiting, hint));
        }
        try {
            if (!free.tryAcquire(permits, longest.toNanos(), TimeUnit.NANOSECONDS)) {
                refused.incrementAndGet();
                throw new StoreTimeoutException(
                        "Timed out after %s while waiting for %s (use: %s)%s".formatted(longest, resource, use, hint));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Gives permits back that were acquired. */
    public void release(int permits) {
        free.release(permits);
    }

    /**
     * Waits until all permits are free.
     *
     * @param longest the longest time to wait
     */
    public void drain(Duration longest) {
        try {
            if (free.tryAcquire(most, longest.toNanos(), TimeUnit.NANOSECONDS)) {
                free.release(most);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
