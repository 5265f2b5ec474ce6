package dev.registrar.http.admission;

import dev.registrar.eventstore.KebabCase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import org.springframework.stereotype.Component;

/** Counts the requests that were not admitted, by reason. */
@Component
public final class RejectedRequests {
    private final MeterRegistry registry;

    RejectedRequests(MeterRegistry registry) {
        this.registry = registry;
        // Each counter begins at 0.
        EnumSet.allOf(Reason.class).forEach(this::counter);
    }

    private Counter counter(Reason reason) {
        return Counter.builder("registrar.http.requests.turned.away")
                .description("Requests that were not admitted")
                .baseUnit("requests")
                .tag("reason", KebabCase.of(reason))
                .register(registry);
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
        counter(reason).increment();
    }
}
