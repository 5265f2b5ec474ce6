package dev.registrar.projection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * Tells outages of the database or the store, after which the same work is repeated, from failures of a follower or its
 * events. The SQLSTATE decides if there is one.
 */
final class Outages {
    /** Connection, resources, an operator's intervention or a system error, and a transaction that lost to another. */
    private static final Set<String> CLASSES = Set.of("08", "40", "53", "57", "58");

    /** A statement, a transaction or an idle transaction was ended by its time-out, or a statement by an operator. */
    private static final Set<String> TIMEOUTS = Set.of("57014", "25P03", "25P04");

    /** The server is read-only; a lock or an object is held by others. */
    private static final Set<String> FURTHER = Set.of("25006", "55P03", "55006");

    private Outages() {}

    /** Whether a failure is one of the database or the store, and not of the events, the follower or its tables. */
    static boolean isOutage(Throwable failure) {
        if (failure instanceof Error
                || failure instanceof RefusedInputException
                || failure instanceof IdempotencyKeyReusedException) {
            return false;
        }
        if (failure instanceof EventStoreException ofStore) {
            // The store's role lacks a privilege, or the schema a table.
            return ofStore.category().filter(FailureCategory.SYNTAX::equals).isEmpty();
        }
        return sqlState(failure)
                .map(state -> TIMEOUTS.contains(state)
                        || FURTHER.contains(state)
                        || CLASSES.contains(state.substring(0, Math.min(2, state.length()))))
                .orElse(failure instanceof TransientDataAccessException
                        || failure instanceof RecoverableDataAccessException
                        || failure instanceof DataAccessResourceFailureException);
    }

    /** Whether the server has ended a statement or a transaction of a follower because it took too long. */
    static boolean isStatementTimeout(Throwable failure) {
        return !(failure instanceof EventStoreException)
                && sqlState(failure).filter(TIMEOUTS::contains).isPresent();
    }

    /** Whether work took too long, so that a part of it may succeed. */
    static boolean isTimeout(Throwable failure) {
        return isStatementTimeout(failure)
                || failure instanceof StoreTimeoutException
                || cause(failure, SocketTimeoutException.class).isPresent();
    }

    private static Optional<String> sqlState(Throwable failure) {
        return cause(failure, SQLException.class).map(SQLException::getSQLState);
    }

    /* A method of an exception may throw itself. */
    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        try {
            Throwable cause = failure;
            for (int i = 0; i < Printable.MOST_CAUSES && cause != null; i++) {
                if (type.isInstance(cause)) {
                    return Optional.of(type.cast(cause));
                }
                cause = cause.getCause();
            }
        } catch (RuntimeException unreadable) {
            // It is none that the database has reported.
        }
        return Optional.empty();
    }
}
