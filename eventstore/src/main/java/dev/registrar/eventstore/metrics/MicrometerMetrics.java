package dev.registrar.eventstore.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Registers meters with Micrometer. Requires {@code io.micrometer:micrometer-core}. */
public final class MicrometerMetrics implements Metrics {
    private final MeterRegistry registry;

    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Counter counter(Meter meter) {
        return io.micrometer.core.instrument.Counter.builder(meter.name())
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter))
                .register(registry)::increment;
    }

    @Override
    public Timer timer(Meter meter) {
        var timer = io.micrometer.core.instrument.Timer.builder(meter.name())
                .description(meter.description())
                .tags(tags(meter))
                .register(registry);
        return nanoseconds -> timer.record(nanoseconds, TimeUnit.NANOSECONDS);
    }

    @Override
    public Distribution distribution(Meter meter) {
        return DistributionSummary.builder(meter.name())
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter))
                .register(registry)::record;
    }

    @Override
    public void gauge(Meter meter, Supplier<Number> value) {
        Gauge.builder(meter.name(), value)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter))
                .register(registry);
    }

    @Override
    public <T> void gauge(Meter meter, T owner, ToDoubleFunction<T> value) {
        Gauge.builder(meter.name(), owner, value)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter))
                .register(registry);
    }

    @Override
    public <T> void count(Meter meter, T owner, ToDoubleFunction<T> count) {
        FunctionCounter.builder(meter.name(), owner, count)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter))
                .register(registry);
    }

    @Override
    public Optional<Object> registry() {
        return Optional.of(registry);
    }

    private static Tags tags(Meter meter) {
        Tags tags = Tags.empty();
        for (var tag : meter.tags().entrySet()) {
            tags = tags.and(tag.getKey(), tag.getValue());
        }
        return tags;
    }
}
