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

/** The meters of appends, whose names begin with {@code registrar.store}. */
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
    private final Timer checks;
    private final Counter refused;

    StoreMeters(Metrics metrics) {
        this.metrics = metrics;
        this.groupSize =
                metrics.distribution(Meter.of("registrar.store.group.size", "Requests that were sent in one group")
                        .in("requests"));
        this.queueWait = metrics.timer(
                Meter.of("registrar.store.queue.wait", "How long requests waited for their group to leave"));
        this.database = metrics.timer(Meter.of(
                "registrar.store.group.database", "How long the database took to append a group and to commit"));
        this.appended = verdict("appended");
        this.repeated = verdict("repeated");
        this.conflicts = verdict("conflict");
        this.replaced = verdict("replaced");
        this.superseded = verdict("superseded");
        this.keysReused = verdict("key-reused");
        this.suspected = verdict("suspected");
        this.checks = metrics.timer(Meter.of(
                "registrar.store.check", "How long the database took to check conditions outside the store's lock"));
        this.refused = metrics.counter(Meter.of(
                        "registrar.store.queue.refused",
                        "Requests that were not appended: too many waited, or it took too long")
                .in("requests"));
    }

    private Counter verdict(String verdict) {
        return metrics.counter(Meter.of("registrar.store.verdicts", "What became of requests to append")
                .tagged("verdict", verdict));
    }

    void queue(Supplier<Number> waiting) {
        metrics.gauge(
                Meter.of("registrar.store.queue.size", "Requests that wait for their group")
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
            // A request that was sent for its verdict only and is not refused is sent again.
            if (!entries.get(i).verdictOnly() || !counter.equals(appended)) {
                counter.increment();
            }
        }
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
        };
    }
}
