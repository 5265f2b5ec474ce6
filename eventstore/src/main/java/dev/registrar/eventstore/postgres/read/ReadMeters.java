package dev.registrar.eventstore.postgres.read;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The meters of reads, whose names start with {@code registrar.store.read}. */
final class ReadMeters {
    private final MeterRegistry metrics;
    private final DistributionSummary readGroupSize;
    private final Counter refusedReads;

    ReadMeters(MeterRegistry metrics) {
        this.metrics = metrics;
        this.readGroupSize = DistributionSummary.builder("registrar.store.read.group.size")
                .description("Small reads in a group")
                .baseUnit("requests")
                .register(metrics);
        this.refusedReads = Counter.builder("registrar.store.read.queue.refused")
                .description("Small reads refused or timed out in the wait queue")
                .baseUnit("requests")
                .register(metrics);
    }

    void waitingReads(Supplier<Number> waiting) {
        Gauge.builder("registrar.store.read.queue.size", waiting)
                .description("Small reads that wait for their group")
                .baseUnit("requests")
                .register(metrics);
    }

    void readRefused() {
        refusedReads.increment();
    }

    void sentReads(int together) {
        readGroupSize.record(together);
    }
}
