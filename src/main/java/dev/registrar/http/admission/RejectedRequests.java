package dev.registrar.http.admission;

import dev.registrar.eventstore.KebabCase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** How many requests were not let in, by reason. */
@Component
public final class RejectedRequests {
    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);

    RejectedRequests(MeterRegistry registry) {
        for (Reason reason : Reason.values()) {
            counters.put(
                    reason,
                    Counter.builder("registrar.http.requests.turned.away")
                            .description("Requests that were not let in")
                            .baseUnit("requests")
                            .tag("reason", KebabCase.of(reason))
                            .register(registry));
        }
    }

    /** Too many at a time, too many of one client, or imports without room. */
    public enum Reason {
        OVERLOADED,
        TOO_MANY_REQUESTS,
        IMPORTS
    }

    public void count(Reason reason) {
        Objects.requireNonNull(counters.get(reason)).increment();
    }
}
