package dev.registrar.console.operations;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.stereotype.Component;

/** What the meters of the store and of the connection pools say at this moment. */
@Component
final class StoreGauges {
    private final MeterRegistry meters;

    StoreGauges(MeterRegistry meters) {
        this.meters = meters;
    }

    /** The connections of a pool. */
    record Pool(String name, long most, long open, long active, long waiting) {}

    /** Append requests that wait for their group. */
    String waitingAppends() {
        Gauge waiting = meters.find("registrar.store.queue.size").gauge();
        return Numbers.count(waiting == null ? 0 : whole(waiting.value()));
    }

    /** Append requests that were refused or timed out in the wait queue, since the start. */
    String refusedAppends() {
        Counter refused = meters.find("registrar.store.queue.refused").counter();
        return Numbers.count(refused == null ? 0 : whole(refused.count()));
    }

    List<Pool> pools() {
        return meters.find("hikaricp.connections").gauges().stream()
                .map(pool -> pool.getId().getTag("pool"))
                .sorted()
                .map(name -> new Pool(
                        name,
                        connections("hikaricp.connections.max", name),
                        connections("hikaricp.connections", name),
                        connections("hikaricp.connections.active", name),
                        connections("hikaricp.connections.pending", name)))
                .toList();
    }

    private long connections(String meter, String pool) {
        Gauge gauge = meters.find(meter).tag("pool", pool).gauge();
        return gauge == null ? 0 : whole(gauge.value());
    }

    private static long whole(double value) {
        return Double.isNaN(value) ? 0 : Math.round(value);
    }
}
