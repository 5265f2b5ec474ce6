package dev.registrar.projection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/** Reports failures of the tables of views and checkpoints as the store reports its own. */
final class DatabaseFailures {
    private DatabaseFailures() {}

    /**
     * The failure for the caller: an {@link EventStoreException} if the database cannot be reached, is busy, or cannot
     * read a value. Any other failure is a bug, and stays as it is.
     *
     * @param work such as {@code A look-up in the view 'courses'}
     */
    static RuntimeException translated(String work, DataAccessException failure) {
        Optional<SQLException> reported = Outages.sqlException(failure);
        if (reported.isEmpty()) {
            return Outages.isOutage(failure)
                    ? new StoreUnavailableException("%s failed".formatted(work), failure, FailureCategory.CONNECTION)
                    : failure;
        }
        EventStoreException translated = reported.get() instanceof SQLTransientConnectionException none
                ? Failures.noConnection(none)
                : Failures.of(work, reported.get());
        return translated.category().filter(FailureCategory::isMistake).isPresent() ? failure : translated;
    }
}
