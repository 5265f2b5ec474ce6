package dev.registrar.eventstore;

import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Bounds how many in-memory projections, which fold events in their callers' threads, are carried out at a time. One
 * more is refused at once.
 */
public final class ProjectionLimit {
    private final int most;
    private final Semaphore free;
    private final AtomicLong refused = new AtomicLong();

    private ProjectionLimit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("A limit of projections is at least 1 but was %d".formatted(most));
        }
        this.most = most;
        this.free = new Semaphore(most);
    }

    /**
     * A limit with meters.
     *
     * @param most projections at a time, at least 1
     */
    public static ProjectionLimit of(int most, Metrics metrics) {
        ProjectionLimit limit = new ProjectionLimit(most);
        metrics.gauge(
                Meter.of("registrar.store.projections", "In-memory projections that are carried out")
                        .in("projections"),
                limit,
                ProjectionLimit::running);
        metrics.count(
                Meter.of("registrar.store.projections.refused", "In-memory projections refused because of their number")
                        .in("projections"),
                limit.refused,
                AtomicLong::get);
        return limit;
    }

    /**
     * Carries out a projection, unless there are too many.
     *
     * @throws OverloadedException if there are
     */
    public <T> T within(Supplier<T> projection) {
        if (!free.tryAcquire()) {
            refused.incrementAndGet();
            throw new OverloadedException("Too many projections at a time (limit %d)".formatted(most));
        }
        try {
            return projection.get();
        } finally {
            free.release();
        }
    }

    private int running() {
        return most - free.availablePermits();
    }
}
