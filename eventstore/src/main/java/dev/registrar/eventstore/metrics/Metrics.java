package dev.registrar.eventstore.metrics;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The registry for the library's meters, thread-safe. {@link MicrometerMetrics} is the implementation for Micrometer;
 * {@link #none()} records nothing.
 */
public interface Metrics {

    /** Counts events. */
    @FunctionalInterface
    interface Counter {
        void increment();
    }

    /** Records times. */
    @FunctionalInterface
    interface Timer {
        void record(long nanoseconds);
    }

    /** Records sizes. */
    @FunctionalInterface
    interface Distribution {
        void record(double size);
    }

    /** Metrics that record nothing. */
    static Metrics none() {
        return NoMetrics.INSTANCE;
    }

    Counter counter(Meter meter);

    Timer timer(Meter meter);

    Distribution distribution(Meter meter);

    /** Registers a gauge. The meter keeps the supplier. */
    void gauge(Meter meter, Supplier<Number> value);

    /** Registers a gauge of an object. The meter refers to the object weakly. */
    <T> void gauge(Meter meter, T owner, ToDoubleFunction<T> value);

    /** Registers a counter of an object whose value only rises. The meter refers to the object weakly. */
    <T> void count(Meter meter, T owner, ToDoubleFunction<T> count);

    /**
     * The underlying registry, for libraries that register meters of their own: a Micrometer {@code MeterRegistry};
     * empty if there is none.
     */
    Optional<Object> registry();
}
