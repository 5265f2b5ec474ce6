package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.CheckFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Bulkhead;
import dev.registrar.eventstore.postgres.connection.Database;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Checks conditions that are too expensive to be judged while other appends wait. */
final class ConditionChecks {
    /*
     * Why an append that was checked here is still exact: a check tells the head up to which it looked. Positions are
     * drawn under the store's lock, so everything that was appended since lies above that head, and the stored function
     * looks at that before it appends. It does so within bounds; if too much has come, the request is suspected again and
     * the next check looks only at what came since the last one. That is less each time, unless events with the
     * condition's tags come faster than they can be looked at: then the bound on the checks of one request ends it.
     *
     * Why the checks cannot take the database from everything else: so many run at a time, on connections for reads, each
     * for a limited time, and so many wait.
     */
    private final Database database;
    private final CheckFunction function;
    private final CheckOptions bounds;
    private final Bulkhead bulkhead;
    private final StoreMeters meters;

    ConditionChecks(Database database, StoreOptions settings, StoreMeters meters, Metrics metrics) {
        this.database = database;
        this.function = new CheckFunction(settings.schema());
        this.bounds = settings.check();
        this.bulkhead = new Bulkhead("check of conditions", bounds.atOnce(), bounds.maxWaiting(), metrics);
        this.meters = meters;
    }

    /**
     * Sends a chain of requests, and again after a check of its conditions, until the database has judged it.
     *
     * @param append sends the chain with what was checked of it, request by request; with nothing at first
     * @throws dev.registrar.eventstore.OverloadedException if too many wait for a check already
     * @throws StoreTimeoutException if a check had to wait or took longer than it may, or was needed too often
     */
    List<AppendAnswer> untilJudged(List<Append> chain, Function<List<CheckedConditions>, List<AppendAnswer>> append) {
        List<CheckedConditions> checked = List.of();
        List<AppendAnswer> answers = append.apply(checked);
        for (int checks = 0; answers.getFirst() instanceof AppendAnswer.Suspected; checks++) {
            if (checks == bounds.maxChecks()) {
                throw new StoreTimeoutException(
                        "An append was not sent: its conditions were checked %d times, and each time too many events came meanwhile"
                                .formatted(checks));
            }
            checked = check(chain, checked);
            answers = append.apply(checked);
        }
        return answers;
    }

    private List<CheckedConditions> check(List<Append> chain, List<CheckedConditions> earlier) {
        Duration maxWait = Deadline.left(bounds.maxWait());
        bulkhead.acquire(maxWait);
        long started = System.nanoTime();
        try {
            return database.check(
                    bounds.timeout(),
                    function.text(earlier),
                    statement -> CheckFunction.check(statement, chain, earlier));
        } finally {
            meters.checked(System.nanoTime() - started);
            bulkhead.release();
        }
    }
}
