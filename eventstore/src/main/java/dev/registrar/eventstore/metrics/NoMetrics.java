package dev.registrar.eventstore.metrics;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Metrics that record nothing. */
enum NoMetrics implements Metrics {
    INSTANCE;

    @Override
    public Counter counter(Meter meter) {
        return () -> {};
    }

    @Override
    public Timer timer(Meter meter) {
        return nanoseconds -> {};
    }

    @Override
    public Distribution distribution(Meter meter) {
        return size -> {};
    }

    @Override
    public void gauge(Meter meter, Supplier<Number> value) {
        // Nothing to register.
    }

    @Override
    public <T> void gauge(Meter meter, T owner, ToDoubleFunction<T> value) {
        // Nothing to register.
    }

    @Override
    public <T> void count(Meter meter, T owner, ToDoubleFunction<T> count) {
        // Nothing to register.
    }

    @Override
    public Optional<Object> registry() {
        return Optional.empty();
    }
}
