package dev.registrar.eventstore;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Bounds the number of concurrent in-memory projections, which fold events in their callers' threads. Further
 * projections are refused at once.
 */
public final class ProjectionLimit {
    private final int most;
    private final Semaphore free;
    private final AtomicLong refused = new AtomicLong();

    private ProjectionLimit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "The limit of concurrent projections must be at least 1 but is %s".formatted(most));
        }
        this.most = most;
        this.free = new Semaphore(most);
    }

    /**
     * Creates a limit with meters.
     *
     * @param most the maximum number of concurrent projections, at least 1
     */
    public static ProjectionLimit of(int most, MeterRegistry metrics) {
        ProjectionLimit limit = new ProjectionLimit(most);
        Gauge.builder("registrar.store.projections", limit, ProjectionLimit::running)
                .description("Running in-memory projections")
                .baseUnit("projections")
                .register(metrics);
        FunctionCounter.builder("registrar.store.projections.refused", limit.refused, AtomicLong::get)
                .description("In-memory projections refused because too many were running")
                .baseUnit("projections")
                .register(metrics);
        return limit;
    }

    /**
     * Runs a projection, unless too many are running.
     *
     * @throws OverloadedException if the limit is reached
     */
    public <T> T within(Supplier<T> projection) {
        if (!free.tryAcquire()) {
            refused.incrementAndGet();
            throw new OverloadedException("Too many concurrent projections (limit %s)".formatted(most));
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
