package dev.registrar.projection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * Tells outages of the database, the store or the target of a relay, after which the same work is repeated, from
 * failures of a follower or its events. The category of the SQLSTATE decides if there is one.
 */
final class Outages {
    private Outages() {}

    /**
     * Whether a {@link Printable} failure is one of the database, the store or the target of a relay, and not of the
     * events, the follower or its tables.
     */
    static boolean isOutage(Throwable failure) {
        if (failure instanceof Error
                || failure instanceof RefusedInputException
                || failure instanceof IdempotencyKeyReusedException) {
            return false;
        }
        // Whatever the reason was, a repetition finds out whether the events are stored.
        return failure instanceof OutcomeUnknownException
                || failure instanceof PublisherUnavailableException
                || category(failure)
                        .map(category -> !category.isMistake())
                        .orElse(failure instanceof EventStoreException
                                || failure instanceof TransientDataAccessException
                                || failure instanceof RecoverableDataAccessException
                                || failure instanceof DataAccessResourceFailureException);
    }

    /** Whether the server has ended a statement or a transaction of a follower because it took too long. */
    static boolean isStatementTimeout(Throwable failure) {
        return !(failure instanceof EventStoreException) && isTimeout(category(failure));
    }

    /** Whether a statement took too long, so that one for fewer events may succeed. */
    static boolean isTimeout(Throwable failure) {
        return isTimeout(category(failure))
                || cause(failure, SocketTimeoutException.class).isPresent();
    }

    private static boolean isTimeout(Optional<FailureCategory> category) {
        return category.filter(FailureCategory.TIMEOUT::equals).isPresent();
    }

    private static Optional<FailureCategory> category(Throwable failure) {
        return failure instanceof EventStoreException ofStore
                ? ofStore.category()
                : sqlException(failure).flatMap(Outages::category);
    }

    private static Optional<FailureCategory> category(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException) {
            // A pool that cannot connect, whatever the server's reason is.
            return Optional.of(FailureCategory.CONNECTION);
        }
        return failure.getSQLState() == null ? Optional.empty() : Optional.of(Failures.category(failure));
    }

    /** The failure that the driver or the pool has reported. */
    static Optional<SQLException> sqlException(Throwable failure) {
        return cause(failure, SQLException.class);
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        return Printable.causes(failure).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}
