package dev.registrar.projection;

import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** The meters of views and automations, each tagged with the name. */
final class ProjectionMeters {
    private static final String NAME = "name";
    private static final String EVENTS = "events";

    private final Metrics metrics;
    private final Map<String, ProjectionStatus> last = new ConcurrentHashMap<>();
    private final Map<String, Metrics.Timer> batches = new ConcurrentHashMap<>();
    private final Map<String, Metrics.Counter> failures = new ConcurrentHashMap<>();

    ProjectionMeters(Metrics metrics) {
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
        metrics.gauge(
                Meter.of(
                                "registrar.projection.stopped",
                                "1 if stopped at an event that could not be handled, otherwise 0")
                        .tagged(NAME, name),
                () -> value(name, status -> status.isStopped() ? 1 : 0));
    }

    private void gauge(
            String name, String meter, String description, String unit, ToDoubleFunction<ProjectionStatus> value) {
        metrics.gauge(Meter.of(meter, description).in(unit).tagged(NAME, name), () -> value(name, value));
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
        batches.computeIfAbsent(
                        follower.name(),
                        name -> metrics.timer(
                                Meter.of("registrar.projection.step", "Transactions that handle a batch of events")
                                        .tagged(NAME, name)))
                .record(nanoseconds);
    }

    void failed(Follower follower) {
        failures.computeIfAbsent(
                        follower.name(),
                        name -> metrics.counter(
                                Meter.of("registrar.projection.failures", "Failed attempts to handle an event")
                                        .in("failures")
                                        .tagged(NAME, name)))
                .increment();
    }
}
