package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.metrics.Meter;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.Metrics.Counter;
import dev.registrar.eventstore.metrics.Metrics.Distribution;
import dev.registrar.eventstore.metrics.Metrics.Timer;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import java.util.List;
import java.util.function.Supplier;

/** The meters of appends, whose names start with {@code registrar.store}. */
final class StoreMeters {
    private final Metrics metrics;
    private final Distribution groupSize;
    private final Timer queueWait;
    private final Timer database;
    private final Counter appended;
    private final Counter repeated;
    private final Counter conflicts;
    private final Counter replaced;
    private final Counter superseded;
    private final Counter keysReused;
    private final Counter suspected;
    private final Counter resourceHeld;
    private final Timer checks;
    private final Counter refused;

    StoreMeters(Metrics metrics) {
        this.metrics = metrics;
        this.groupSize = metrics.distribution(Meter.of("registrar.store.group.size", "Requests in an append group")
                .in("requests"));
        this.queueWait = metrics.timer(
                Meter.of("registrar.store.queue.wait", "Time that requests waited for their append group"));
        this.database = metrics.timer(Meter.of(
                "registrar.store.group.database", "Time of the database call that appends and commits a group"));
        this.appended = verdict("appended");
        this.repeated = verdict("repeated");
        this.conflicts = verdict("conflict");
        this.replaced = verdict("replaced");
        this.superseded = verdict("superseded");
        this.keysReused = verdict("key-reused");
        this.suspected = verdict("suspected");
        this.resourceHeld = verdict("resource-held");
        this.checks =
                metrics.timer(Meter.of("registrar.store.check", "Time of a condition check outside the store's lock"));
        this.refused = metrics.counter(
                Meter.of("registrar.store.queue.refused", "Append requests refused or timed out in the wait queue")
                        .in("requests"));
    }

    private Counter verdict(String verdict) {
        return metrics.counter(Meter.of("registrar.store.verdicts", "Append requests by verdict")
                .tagged("verdict", verdict));
    }

    void queue(Supplier<Number> waiting) {
        metrics.gauge(
                Meter.of("registrar.store.queue.size", "Append requests that wait for their group")
                        .in("requests"),
                waiting);
    }

    void checked(long nanoseconds) {
        checks.record(nanoseconds);
    }

    void refused() {
        refused.increment();
    }

    void sent(AppendGroup group) {
        groupSize.record(group.entries().size());
        for (WaitingAppend member : group.members()) {
            queueWait.record(member.waited());
        }
    }

    void answered(long nanoseconds, List<AppendEntry> entries, List<AppendAnswer> answers) {
        database.record(nanoseconds);
        for (int i = 0; i < answers.size(); i++) {
            Counter counter = counter(answers.get(i));
            if (!isSentAgain(entries.get(i), answers.get(i), counter)) {
                counter.increment();
            }
        }
    }

    /* A request that is sent again is counted with its last verdict only. */
    private boolean isSentAgain(AppendEntry entry, AppendAnswer answer, Counter counter) {
        return switch (answer) {
            case AppendAnswer.ResourceHeld held -> !held.neededByThis();
            case AppendAnswer.Judged judged -> entry.verdictOnly() && counter.equals(appended);
            case AppendAnswer.KeyReused reused -> false;
            case AppendAnswer.Superseded later -> false;
            case AppendAnswer.Suspected unsure -> false;
        };
    }

    private Counter counter(AppendAnswer answer) {
        return switch (answer) {
            case AppendAnswer.Judged judged ->
                switch (judged.result()) {
                    case Appended result -> result.repeated() ? repeated : appended;
                    case Conflict conflict -> conflicts;
                    case StoreReplaced store -> replaced;
                };
            case AppendAnswer.KeyReused reused -> keysReused;
            case AppendAnswer.Superseded later -> superseded;
            case AppendAnswer.Suspected unsure -> suspected;
            case AppendAnswer.ResourceHeld held -> resourceHeld;
        };
    }
}
