package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.CheckFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.options.CheckOptions;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Function;

/** Checks conditions that are too expensive to evaluate while other appends wait. */
final class ConditionChecks {
    /*
     * Why an append that was checked here is still exact: a check returns the head up to which it looked. Positions are
     * drawn under the store's lock, so all later events are above that head, and the stored function checks those
     * before it appends. That check is bounded. If there are too many new events, the request is suspected again, and
     * the next check covers only the events since the last one. Each check covers fewer events than the one before,
     * unless events with the condition's tags arrive faster than they can be checked. In that case the bound on the
     * checks of one request ends the loop.
     *
     * Why the checks cannot starve other calls: the number of concurrent checks, their time and the number of waiting
     * requests are bounded. The checks use connections for reads.
     */
    private final Database database;
    private final String function;
    private final CheckOptions bounds;
    private final Permits connections;
    private final StoreMeters meters;

    ConditionChecks(Database database, StoreOptions settings, StoreMeters meters, MeterRegistry metrics) {
        this.database = database;
        this.function = CheckFunction.text(settings.schema());
        this.bounds = settings.check();
        this.connections = Permits.ofConnections("check of conditions", bounds.atOnce(), bounds.maxWaiting(), metrics);
        this.meters = meters;
    }

    /**
     * Checks the conditions of a suspected chain, and sends it again, until the database has evaluated it.
     *
     * @param append sends the chain with the checked conditions of each request
     * @throws dev.registrar.eventstore.OverloadedException if too many requests wait for a check
     * @throws StoreTimeoutException if the wait for a check or the check itself timed out, or too many checks were
     *     needed
     */
    List<AppendAnswer> untilJudged(List<Append> chain, Function<List<CheckedConditions>, List<AppendAnswer>> append) {
        List<CheckedConditions> checked = List.of();
        for (int checks = 0; checks < bounds.maxChecks(); checks++) {
            checked = check(chain, checked);
            List<AppendAnswer> answers = append.apply(checked);
            if (!(answers.getFirst() instanceof AppendAnswer.Suspected)) {
                return answers;
            }
        }
        throw new StoreTimeoutException(
                "An append was not carried out: after %s condition checks, too many new events still had to be checked"
                        .formatted(bounds.maxChecks()));
    }

    private List<CheckedConditions> check(List<Append> chain, List<CheckedConditions> earlier) {
        return connections.within(Deadline.left(bounds.maxWait()), () -> {
            long started = System.nanoTime();
            try {
                return database.once(
                        bounds.timeout(),
                        function,
                        failure -> Failures.check(failure, bounds.timeout()),
                        statement -> CheckFunction.check(statement, chain, earlier));
            } finally {
                meters.checked(System.nanoTime() - started);
            }
        });
    }
}
