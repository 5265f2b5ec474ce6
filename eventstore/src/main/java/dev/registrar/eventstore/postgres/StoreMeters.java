package dev.registrar.eventstore.postgres;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.postgres.GroupAppender.WaitingAppend;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The meters of appends, whose names start with {@code registrar.store}. */
final class StoreMeters {
    private static final String APPENDED = "appended";
    /** Registered at the start, so that each is visible before its first request. */
    private static final List<String> VERDICTS = List.of(
            APPENDED, "repeated", "conflict", "replaced", "superseded", "key-reused", "suspected", "resource-held");

    private final MeterRegistry metrics;
    private final DistributionSummary groupSize;
    private final Timer queueWait;
    private final Timer database;
    private final Map<String, Counter> verdicts;
    private final Timer checks;
    private final Counter refused;

    StoreMeters(MeterRegistry metrics) {
        this.metrics = metrics;
        this.groupSize = DistributionSummary.builder("registrar.store.group.size")
                .description("Requests in an append group")
                .baseUnit("requests")
                .register(metrics);
        this.queueWait = Timer.builder("registrar.store.queue.wait")
                .description("Time that requests waited for their append group")
                .register(metrics);
        this.database = Timer.builder("registrar.store.group.database")
                .description("Time of the database call that appends and commits a group")
                .register(metrics);
        this.verdicts = VERDICTS.stream().collect(toMap(identity(), this::counter));
        this.checks = Timer.builder("registrar.store.check")
                .description("Time of a condition check outside the store's lock")
                .register(metrics);
        this.refused = Counter.builder("registrar.store.queue.refused")
                .description("Append requests refused or timed out in the wait queue")
                .baseUnit("requests")
                .register(metrics);
    }

    private Counter counter(String verdict) {
        return Counter.builder("registrar.store.verdicts")
                .description("Append requests by verdict")
                .tag("verdict", verdict)
                .register(metrics);
    }

    void queue(Supplier<Number> waiting) {
        Gauge.builder("registrar.store.queue.size", waiting)
                .description("Append requests that wait for their group")
                .baseUnit("requests")
                .register(metrics);
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

    void answered(long nanoseconds, List<AppendEntry> entries, List<AppendAnswer> answers) {
        database.record(nanoseconds, TimeUnit.NANOSECONDS);
        for (int i = 0; i < answers.size(); i++) {
            String verdict = verdict(answers.get(i));
            // A known loser that was not refused is sent again, and counted then.
            if (!entries.get(i).verdictOnly() || !verdict.equals(APPENDED)) {
                Objects.requireNonNull(verdicts.get(verdict)).increment();
            }
        }
    }

    private static String verdict(AppendAnswer answer) {
        return switch (answer) {
            case AppendAnswer.Judged judged ->
                switch (judged.result()) {
                    case Appended result -> result.repeated() ? "repeated" : APPENDED;
                    case Conflict conflict -> "conflict";
                    case StoreReplaced store -> "replaced";
                };
            case AppendAnswer.KeyReused reused -> "key-reused";
            case AppendAnswer.Superseded later -> "superseded";
            case AppendAnswer.Suspected unsure -> "suspected";
            case AppendAnswer.ResourceHeld held -> "resource-held";
        };
    }
}
