package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.Metrics.Counter;
import dev.registrar.eventstore.metrics.Metrics.Distribution;
import java.util.function.Supplier;

/** The meters of reads, whose names start with {@code registrar.store.read}. */
final class ReadMeters {
    private final Metrics metrics;
    private final Distribution readGroupSize;
    private final Counter refusedReads;

    ReadMeters(Metrics metrics) {
        this.metrics = metrics;
        this.readGroupSize = metrics.distribution(Meter.of("registrar.store.read.group.size", "Small reads in a group")
                .in("requests"));
        this.refusedReads = metrics.counter(
                Meter.of("registrar.store.read.queue.refused", "Small reads refused or timed out in the wait queue")
                        .in("requests"));
    }

    void memory(ReadMemory memory) {
        metrics.gauge(
                Meter.of("registrar.store.read.memory.used", "Memory of events held by reads")
                        .in("bytes")
                        .tagged("use", memory.use()),
                memory,
                ReadMemory::bytesInUse);
        metrics.gauge(
                Meter.of("registrar.store.read.memory.waiting", "Reads that wait for memory")
                        .in("reads")
                        .tagged("use", memory.use()),
                memory,
                ReadMemory::waiting);
        metrics.count(
                Meter.of(
                                "registrar.store.read.memory.refused",
                                "Reads that got no memory because too many were waiting or the wait timed out")
                        .in("reads")
                        .tagged("use", memory.use()),
                memory,
                ReadMemory::refused);
    }

    void waitingReads(Supplier<Number> waiting) {
        metrics.gauge(
                Meter.of("registrar.store.read.queue.size", "Small reads that wait for their group")
                        .in("requests"),
                waiting);
    }

    void readRefused() {
        refusedReads.increment();
    }

    void sentReads(int together) {
        readGroupSize.record(together);
    }
}
