package dev.registrar.projection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import org.springframework.dao.DataAccessException;

/** Translates a failure of Spring's access to the database into the store's exceptions, by its SQLSTATE. */
public final class DatabaseFailures {
    private DatabaseFailures() {}

    /**
     * The failure as the store reports its own: the database cannot be reached, it is busy, or it refuses a value. Any
     * other failure is a bug, and stays as it is.
     *
     * @param what was read, such as {@code the view 'courses'}
     */
    public static RuntimeException translated(String what, DataAccessException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException reason) {
                EventStoreException translated = Failures.read(what, reason);
                return translated.category().filter(FailureCategory::isMistake).isPresent() ? failure : translated;
            }
        }
        return Outages.isOutage(failure)
                ? new StoreUnavailableException(
                        "A read of %s failed".formatted(what), failure, FailureCategory.CONNECTION)
                : failure;
    }
}
