package dev.registrar.benchmarks;

import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.util.Map;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The store under measurement without circuit breaker and retry. */
@State(Scope.Benchmark)
public class UnprotectedStore extends BenchmarkStore {

    @Override
    protected StoreOptions settings() {
        return StoreDatabase.serviceSettings(
                Map.of("connection-timeout", "30s", "breaker.enabled", false, "retry.max-retries", 0));
    }
}
