package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.Metrics.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The meters of calls that failed and were repeated. */
final class ConnectionMeters {
    private final Counter retries;
    /** All from the beginning, so that each is visible before it first happens. */
    private final Map<FailureCategory, Counter> failures = new EnumMap<>(FailureCategory.class);

    ConnectionMeters(Metrics metrics) {
        this.retries = metrics.counter(
                Meter.of("registrar.store.retries", "Second and further tries of what failed in passing"));
        for (FailureCategory category : FailureCategory.values()) {
            failures.put(
                    category,
                    metrics.counter(Meter.of("registrar.store.failures", "Calls of the database that failed")
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
