package dev.registrar.http.admission;

import dev.registrar.eventstore.KebabCase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Counts the requests that were not admitted, by reason. */
@Component
public final class RejectedRequests {
    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);

    RejectedRequests(MeterRegistry registry) {
        for (Reason reason : Reason.values()) {
            counters.put(
                    reason,
                    Counter.builder("registrar.http.requests.turned.away")
                            .description("Requests that were not admitted")
                            .baseUnit("requests")
                            .tag("reason", KebabCase.of(reason))
                            .register(registry));
        }
    }

    /** The limit that a rejected request exceeded. */
    public enum Reason {
        /** Concurrent requests, or large appends. */
        OVERLOADED,
        /** Requests of one client per second. */
        TOO_MANY_REQUESTS,
        /** Import files that are read, or imports that wait. */
        IMPORTS
    }

    public void count(Reason reason) {
        Objects.requireNonNull(counters.get(reason)).increment();
    }
}
