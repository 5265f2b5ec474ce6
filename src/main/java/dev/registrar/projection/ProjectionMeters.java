package dev.registrar.projection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What views and automations tell of themselves, each under its name. */
final class ProjectionMeters {
    private static final String NAME = "name";

    private final MeterRegistry registry;
    private final Map<String, ProjectionStatus> known = new ConcurrentHashMap<>();

    ProjectionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void register(Follower follower) {
        String name = follower.name();
        Gauge.builder("registrar.projection.lag", () -> lag(name))
                .description("Positions between the checkpoint and the last event, while an event waits to be handled")
                .baseUnit("events")
                .tag(NAME, name)
                .register(registry);
        Gauge.builder("registrar.projection.lag.time", () -> lagSeconds(name))
                .description("How long the first event that is not handled yet has been stored")
                .baseUnit("seconds")
                .tag(NAME, name)
                .register(registry);
        Gauge.builder("registrar.projection.rebuild.remaining", () -> remaining(name))
                .description("Positions that a rebuild has to pass yet; 0 without one")
                .baseUnit("events")
                .tag(NAME, name)
                .register(registry);
        Gauge.builder("registrar.projection.skipped", () -> skipped(name))
                .description("Events that were left out since it was last rebuilt")
                .baseUnit("events")
                .tag(NAME, name)
                .register(registry);
        Gauge.builder("registrar.projection.stopped", () -> stopped(name))
                .description("1 if an event could not be handled and everything behind it waits, else 0")
                .tag(NAME, name)
                .register(registry);
    }

    private double remaining(String name) {
        ProjectionStatus status = known.get(name);
        return status == null
                ? Double.NaN
                : status.rebuild().map(ProjectionStatus.Rebuild::remaining).orElse(0L);
    }

    private double lag(String name) {
        ProjectionStatus status = known.get(name);
        return status == null ? Double.NaN : status.lagEvents();
    }

    private double lagSeconds(String name) {
        ProjectionStatus status = known.get(name);
        return status == null ? Double.NaN : status.lag().toMillis() / 1e3;
    }

    private double skipped(String name) {
        ProjectionStatus status = known.get(name);
        return status == null ? Double.NaN : status.skipped();
    }

    private double stopped(String name) {
        ProjectionStatus status = known.get(name);
        return status == null ? Double.NaN : status.state().equals("stopped") ? 1 : 0;
    }

    void told(ProjectionStatus status) {
        known.put(status.name(), status);
    }

    void stepped(Follower follower, long nanoseconds) {
        Timer.builder("registrar.projection.step")
                .description("A transaction that handled events")
                .tag(NAME, follower.name())
                .register(registry)
                .record(nanoseconds, TimeUnit.NANOSECONDS);
    }

    void failed(Follower follower) {
        Counter.builder("registrar.projection.failures")
                .description("Times that an event could not be handled")
                .baseUnit("failures")
                .tag(NAME, follower.name())
                .register(registry)
                .increment();
    }
}
