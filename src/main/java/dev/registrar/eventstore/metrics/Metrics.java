package dev.registrar.eventstore.metrics;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Where the library registers its meters, from any thread. {@link MicrometerMetrics} is the implementation for
 * Micrometer; {@link #none()} needs nothing.
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

    /** Metrics that go nowhere. */
    static Metrics none() {
        return NoMetrics.INSTANCE;
    }

    Counter counter(Meter meter);

    Timer timer(Meter meter);

    Distribution distribution(Meter meter);

    /** Observes a value that rises and falls; the supplier is kept as long as the meter. */
    void gauge(Meter meter, Supplier<Number> value);

    /** Observes a value that rises and falls, as long as something else refers to the object that has it. */
    <T> void gauge(Meter meter, T owner, ToDoubleFunction<T> value);

    /** Observes a count that only rises, as long as something else refers to the object that has it. */
    <T> void count(Meter meter, T owner, ToDoubleFunction<T> count);

    /**
     * The registry behind this, for libraries that register meters of their own: a Micrometer {@code MeterRegistry}, or
     * nothing.
     */
    Optional<Object> registry();
}
