package dev.registrar.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** How many imports found no room, counted beside the requests that {@link AdmissionFilter} turns away. */
@Component
final class TurnedAwayImports {
    private final Counter counter;

    TurnedAwayImports(MeterRegistry registry) {
        this.counter = Counter.builder("registrar.http.requests.turned.away")
                .description("Requests that were not let in")
                .baseUnit("requests")
                .tag("reason", "imports")
                .register(registry);
    }

    void count() {
        counter.increment();
    }
}
