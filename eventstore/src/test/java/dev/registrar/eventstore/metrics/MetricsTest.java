package dev.registrar.eventstore.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Recorded values reach Micrometer under their name, unit and tags, or are discarded without a registry. */
class MetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Metrics metrics = new MicrometerMetrics(registry);

    @Test
    void counters_timers_and_distributions_reach_micrometer() {
        metrics.counter(Meter.of("seats.taken", "Seats that were taken")
                        .in("seats")
                        .tagged("row", "1"))
                .increment();
        metrics.timer(Meter.of("seats.wait", "How long a guest waited")).record(3_000);
        metrics.distribution(Meter.of("party.size", "Guests of a party").in("guests"))
                .record(4);

        assertThat(registry.get("seats.taken").tag("row", "1").counter().count())
                .isOne();
        assertThat(registry.get("seats.taken").counter().getId().getBaseUnit()).isEqualTo("seats");
        assertThat(registry.get("seats.taken").counter().getId().getDescription())
                .isEqualTo("Seats that were taken");
        assertThat(registry.get("seats.wait").timer().totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo(3_000);
        assertThat(registry.get("party.size").summary().max()).isEqualTo(4);
    }

    @Test
    void observed_values_reach_micrometer() {
        AtomicInteger seats = new AtomicInteger(7);
        metrics.gauge(Meter.of("seats.free", "Free seats"), seats, AtomicInteger::get);
        metrics.gauge(Meter.of("seats.all", "All seats"), () -> seats.get() + 1);
        metrics.count(Meter.of("seats.freed", "Seats that became free"), seats, AtomicInteger::get);
        seats.set(9);

        assertThat(registry.get("seats.free").gauge().value()).isEqualTo(9);
        assertThat(registry.get("seats.all").gauge().value()).isEqualTo(10);
        assertThat(registry.get("seats.freed").functionCounter().count()).isEqualTo(9);
        assertThat(metrics.registry()).containsSame(registry);
    }

    @Test
    void without_metrics_there_is_no_registry() {
        Metrics none = Metrics.none();
        none.counter(Meter.of("seats.taken", "Seats that were taken")).increment();

        assertThat(none.registry()).isEmpty();
    }
}
