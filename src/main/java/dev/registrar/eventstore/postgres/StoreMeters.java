package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the store tells of its appends and reads, as meters whose names begin with {@code registrar.store}. */
final class StoreMeters {
    private final MeterRegistry registry;
    private final DistributionSummary groupSize;
    private final Timer queueWait;
    private final Timer database;
    private final Counter appended;
    private final Counter repeated;
    private final Counter conflicts;
    private final Counter replaced;
    private final Counter superseded;
    private final Counter keysReused;
    private final Counter suspected;
    private final Timer checks;
    private final Counter retries;
    private final Counter refused;
    private final DistributionSummary readGroupSize;
    private final Counter refusedReads;

    StoreMeters(MeterRegistry registry) {
        this.registry = registry;
        this.groupSize = DistributionSummary.builder("registrar.store.group.size")
                .description("Requests that were sent in one group")
                .baseUnit("requests")
                .register(registry);
        this.queueWait = Timer.builder("registrar.store.queue.wait")
                .description("How long requests waited for their group to leave")
                .register(registry);
        this.database = Timer.builder("registrar.store.group.database")
                .description("How long the database took to append a group and to commit")
                .register(registry);
        this.appended = verdict("appended");
        this.repeated = verdict("repeated");
        this.conflicts = verdict("conflict");
        this.replaced = verdict("replaced");
        this.superseded = verdict("superseded");
        this.keysReused = verdict("key-reused");
        this.suspected = verdict("suspected");
        this.checks = Timer.builder("registrar.store.check")
                .description("How long the database took to check conditions outside the store's lock")
                .register(registry);
        this.retries = Counter.builder("registrar.store.retries")
                .description("Second and further tries of what failed in passing")
                .register(registry);
        this.refused = Counter.builder("registrar.store.queue.refused")
                .description("Requests that were not appended: too many waited, or it took too long")
                .baseUnit("requests")
                .register(registry);
        this.readGroupSize = DistributionSummary.builder("registrar.store.read.group.size")
                .description("Small reads that were sent in one group")
                .baseUnit("requests")
                .register(registry);
        this.refusedReads = Counter.builder("registrar.store.read.queue.refused")
                .description("Small reads that were not sent: too many waited, or it took too long")
                .baseUnit("requests")
                .register(registry);
        // So that each is there to be seen before it first happens.
        for (FailureCategory category : FailureCategory.values()) {
            failure(category);
        }
    }

    private Counter failure(FailureCategory category) {
        return Counter.builder("registrar.store.failures")
                .description("Calls of the database that failed")
                .tag("category", KebabCase.of(category))
                .register(registry);
    }

    private Counter verdict(String verdict) {
        return Counter.builder("registrar.store.verdicts")
                .description("What became of requests to append")
                .tag("verdict", verdict)
                .register(registry);
    }

    void budget(Bulkhead budget) {
        gauge(
                "registrar.store.budget.waiting",
                "Callers that wait for a connection",
                "callers",
                budget,
                budget::waiting);
        gauge("registrar.store.budget.used", "Connections in use", "connections", budget, budget::inUse);
        FunctionCounter.builder("registrar.store.budget.refused", budget, Bulkhead::refused)
                .description("Callers that did not get a connection: too many waited, or it took too long")
                .baseUnit("callers")
                .tag("use", budget.use())
                .register(registry);
    }

    private void gauge(String name, String description, String unit, Bulkhead budget, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .baseUnit(unit)
                .tag("use", budget.use())
                .register(registry);
    }

    void memory(ReadMemory memory) {
        Gauge.builder("registrar.store.read.memory.used", memory, ReadMemory::bytesInUse)
                .description("Bytes of events that reads hold")
                .baseUnit("bytes")
                .tag("use", memory.use())
                .register(registry);
        Gauge.builder("registrar.store.read.memory.waiting", memory, ReadMemory::waiting)
                .description("Reads that wait for memory")
                .baseUnit("reads")
                .tag("use", memory.use())
                .register(registry);
        FunctionCounter.builder("registrar.store.read.memory.refused", memory, ReadMemory::refused)
                .description("Reads that did not get their memory: too many waited, or it took too long")
                .baseUnit("reads")
                .tag("use", memory.use())
                .register(registry);
    }

    void breakers(CircuitBreakerRegistry breakers) {
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(registry);
    }

    void failed(FailureCategory category) {
        failure(category).increment();
    }

    void retried() {
        retries.increment();
    }

    void queue(Supplier<Number> waiting) {
        Gauge.builder("registrar.store.queue.size", waiting)
                .description("Requests that wait for their group")
                .baseUnit("requests")
                .register(registry);
    }

    void waitingReads(Supplier<Number> waiting) {
        Gauge.builder("registrar.store.read.queue.size", waiting)
                .description("Small reads that wait for their group")
                .baseUnit("requests")
                .register(registry);
    }

    void readRefused() {
        refusedReads.increment();
    }

    void sentReads(int together) {
        readGroupSize.record(together);
    }

    void checked(long nanoseconds) {
        checks.record(nanoseconds, TimeUnit.NANOSECONDS);
    }

    void refused() {
        refused.increment();
    }

    void sent(AppendGroup group) {
        groupSize.record(group.entries().size());
        for (WaitingAppend member : group.members()) {
            queueWait.record(member.waited(), TimeUnit.NANOSECONDS);
        }
    }

    void answered(long nanoseconds, List<Entry> entries, List<AppendAnswer> verdicts) {
        database.record(nanoseconds, TimeUnit.NANOSECONDS);
        for (int i = 0; i < verdicts.size(); i++) {
            Counter counter = counter(verdicts.get(i));
            // A request that was sent for its verdict only and is not refused is sent again.
            if (!entries.get(i).verdictOnly() || !counter.equals(appended)) {
                counter.increment();
            }
        }
    }

    private Counter counter(AppendAnswer verdict) {
        return switch (verdict) {
            case AppendAnswer.Judged judged ->
                switch (judged.result()) {
                    case Appended result -> result.repeated() ? repeated : appended;
                    case Conflict conflict -> conflicts;
                    case StoreReplaced store -> replaced;
                };
            case AppendAnswer.KeyReused reused -> keysReused;
            case AppendAnswer.Superseded later -> superseded;
            case AppendAnswer.Suspected unsure -> suspected;
        };
    }
}
