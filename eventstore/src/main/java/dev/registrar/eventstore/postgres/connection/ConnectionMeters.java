package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.KebabCase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The meters of failed and repeated calls. */
final class ConnectionMeters {
    private final Counter retries;
    /** Registered for all categories at the start, so that each is visible before its first failure. */
    private final Map<FailureCategory, Counter> failures = new EnumMap<>(FailureCategory.class);

    ConnectionMeters(MeterRegistry metrics) {
        this.retries = Counter.builder("registrar.store.retries")
                .description("Repeated calls after transient failures")
                .register(metrics);
        for (FailureCategory category : FailureCategory.values()) {
            failures.put(
                    category,
                    Counter.builder("registrar.store.failures")
                            .description("Failed database calls")
                            .tag("category", KebabCase.of(category))
                            .register(metrics));
        }
    }

    void failed(FailureCategory category) {
        Objects.requireNonNull(failures.get(category)).increment();
    }

    void retried() {
        retries.increment();
    }
}
