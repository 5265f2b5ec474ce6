package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.Metrics.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The meters of failed and repeated calls. */
final class ConnectionMeters {
    private final Counter retries;
    /** Registered for all categories at the start, so that each is visible before its first failure. */
    private final Map<FailureCategory, Counter> failures = new EnumMap<>(FailureCategory.class);

    ConnectionMeters(Metrics metrics) {
        this.retries = metrics.counter(Meter.of("registrar.store.retries", "Repeated calls after transient failures"));
        for (FailureCategory category : FailureCategory.values()) {
            failures.put(
                    category,
                    metrics.counter(Meter.of("registrar.store.failures", "Failed database calls")
                            .tagged("category", KebabCase.of(category))));
        }
    }

    void failed(FailureCategory category) {
        Objects.requireNonNull(failures.get(category)).increment();
    }

    void retried() {
        retries.increment();
    }
}
