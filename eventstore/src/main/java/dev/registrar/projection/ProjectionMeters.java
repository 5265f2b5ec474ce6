package dev.registrar.projection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of views and automations, each tagged with the name. */
final class ProjectionMeters {
    private static final String NAME = "name";
    private static final String EVENTS = "events";

    private final MeterRegistry metrics;
    private final Map<String, ProjectionStatus> last = new ConcurrentHashMap<>();

    ProjectionMeters(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    void register(Follower follower) {
        String name = follower.name();
        gauge(
                name,
                "registrar.projection.lag",
                "Positions between the checkpoint and the last event; 0 if every event has been handled",
                EVENTS,
                ProjectionStatus::lagEvents);
        gauge(
                name,
                "registrar.projection.lag.time",
                "Time since the first unhandled event was stored",
                "seconds",
                status -> status.lag().toMillis() / 1e3);
        gauge(
                name,
                "registrar.projection.rebuild.remaining",
                "Positions that a rebuild has left to process; 0 without a rebuild",
                EVENTS,
                status -> status.rebuild()
                        .map(ProjectionStatus.Rebuild::remaining)
                        .orElse(0L));
        gauge(
                name,
                "registrar.projection.skipped",
                "Events skipped since the last rebuild",
                EVENTS,
                ProjectionStatus::skipped);
        gauge(
                name,
                "registrar.projection.dead.letters",
                "Events that were skipped or parked, and not retried or discarded since",
                EVENTS,
                ProjectionStatus::deadLetters);
        gauge(
                name,
                "registrar.projection.stopped",
                "1 if stopped at an event that could not be handled, otherwise 0",
                null,
                status -> status.isStopped() ? 1 : 0);
    }

    private void gauge(
            String name,
            String meter,
            String description,
            @Nullable String unit,
            ToDoubleFunction<ProjectionStatus> value) {
        Gauge.builder(meter, () -> value(name, value))
                .description(description)
                .baseUnit(unit)
                .tag(NAME, name)
                .register(metrics);
    }

    private double value(String name, ToDoubleFunction<ProjectionStatus> value) {
        ProjectionStatus status = last.get(name);
        return status == null ? Double.NaN : value.applyAsDouble(status);
    }

    /** Sets the values of the gauges from a status. */
    void update(ProjectionStatus status) {
        last.put(status.name(), status);
    }

    void processed(Follower follower, long nanoseconds) {
        Timer.builder("registrar.projection.step")
                .description("Transactions that handle a batch of events")
                .tag(NAME, follower.name())
                .register(metrics)
                .record(nanoseconds, TimeUnit.NANOSECONDS);
    }

    void failed(Follower follower) {
        Counter.builder("registrar.projection.failures")
                .description("Failed attempts to handle an event")
                .baseUnit("failures")
                .tag(NAME, follower.name())
                .register(metrics)
                .increment();
    }
}
