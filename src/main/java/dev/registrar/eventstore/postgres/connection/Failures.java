package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a failure of the database means to the caller, told by its SQLSTATE and by when it came. */
public final class Failures {
    private static final String COMPLETION_UNKNOWN = "40003";
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String CANCELLED = "57014";
    private static final String WRONG_ISOLATION = "DCB01";

    private Failures() {}

    /**
     * No connection was to be had, so nothing was sent.
     *
     * @param reason why the pool cannot connect; empty if it is just out of connections
     */
    static EventStoreException noConnection(SQLException failure, Optional<SQLException> reason) {
        if (reason.isEmpty() && failure instanceof SQLTransientConnectionException) {
            return new StoreTimeoutException(
                    "No connection to the event store's database became free in time",
                    failure,
                    FailureCategory.OUT_OF_RESOURCES);
        }
        reason.ifPresent(failure::addSuppressed);
        FailureCategory category = category(reason.orElse(failure));
        return new StoreUnavailableException(
                "The event store's database cannot be reached",
                failure,
                category == FailureCategory.UNKNOWN ? FailureCategory.CONNECTION : category);
    }

    /** What kind of failure it is, told by its SQLSTATE. */
    public static FailureCategory category(SQLException failure) {
        return SqlStates.category(failure.getSQLState());
    }

    /** A read failed. */
    public static EventStoreException read(SQLException failure) {
        return category(failure) == FailureCategory.TIMEOUT || isTimeout(failure)
                ? new StoreTimeoutException("A read of the event store took too long", failure, category(failure))
                : new StoreUnavailableException("A read of the event store failed", failure, category(failure));
    }

    /** A check of an append's conditions failed, before the append was sent. */
    static EventStoreException check(SQLException failure, Duration most) {
        return isTimeout(failure)
                ? new StoreTimeoutException(
                        "An append was not sent: to check its conditions took longer than %s, or than its deadline allows"
                                .formatted(most),
                        failure,
                        category(failure))
                : new StoreUnavailableException("A check of conditions failed", failure, category(failure));
    }

    /** Resource locks were not obtained, so the append was not sent. Whatever ended the wait, it was one for locks. */
    public static EventStoreException lock(SQLException failure, ResourceLocks locks) {
        return isTimeout(failure)
                ? new StoreTimeoutException(
                        "The resources %s were not all free within %s".formatted(locks.names(), locks.timeout()),
                        failure,
                        FailureCategory.LOCK_TIMEOUT)
                : new StoreUnavailableException("Resource locks could not be taken", failure, category(failure));
    }

    /**
     * Whether a failure is about values: the database rolled back the whole call for the sake of one of them. (SQLSTATE
     * class 22, data exception, and 23, integrity constraint violation, but for a key that is taken: positions and keys
     * are the store's own.)
     */
    public static boolean isAboutData(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("22") || (state.startsWith("23") && !state.equals(UNIQUE_VIOLATION));
    }

    /**
     * Whether the server cancelled a call, which it has rolled back, whole: for its time, or since somebody asked it
     * to.
     */
    public static boolean isCancelled(SQLException failure) {
        return CANCELLED.equals(failure.getSQLState());
    }

    /** An append failed after it was sent. Only the server's own word says that it did not commit. */
    public static RuntimeException append(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        if (state.equals(WRONG_ISOLATION)) {
            return new IllegalStateException("The event store's connections must be at READ COMMITTED", failure);
        }
        if (isTimeout(failure)) {
            return new StoreTimeoutException(
                    "An append waited too long for a lock, or took too long", failure, category(failure));
        }
        return switch (state.length() < 2 ? state : state.substring(0, 2)) {
            case "22", "23" ->
                state.equals(UNIQUE_VIOLATION)
                        ? new StoreUnavailableException(
                                "The event store's own keys have been taken", failure, category(failure))
                        : new RefusedInputException(
                                "The event store's database cannot keep a value of the append (SQLSTATE %s)"
                                        .formatted(state));
            // Lost, shut down, crashed, or no word at all: 40003 is the server's own "completion unknown".
            case "08", "57", "58", "XX", "F0", "null" -> unknown(failure);
            default ->
                state.equals(COMPLETION_UNKNOWN)
                        ? unknown(failure)
                        : new StoreUnavailableException(
                                "The event store's database could not append", failure, category(failure));
        };
    }

    /**
     * An append in the caller's transaction failed. Nothing of it can commit: it was rolled back to its savepoint, or
     * the server rolls the whole transaction back.
     */
    public static RuntimeException joined(SQLException failure) {
        if (isTimeout(failure)) {
            return new StoreTimeoutException(
                    "An append in the caller's transaction waited too long for a lock, or took too long; nothing was appended",
                    failure,
                    category(failure));
        }
        return isAboutData(failure)
                ? new RefusedInputException("The event store's database cannot keep a value of the append (SQLSTATE %s)"
                        .formatted(failure.getSQLState()))
                : new StoreUnavailableException(
                        "The event store's database could not append in the caller's transaction; nothing was appended",
                        failure,
                        category(failure));
    }

    /**
     * Checks that the server committed without a warning. When the wait for a synchronous standby is cancelled, the
     * server reports success and warns that the transaction may not have been replicated. The text of that warning
     * depends on the server's language and its SQLSTATE is that of any warning, so every warning counts. Messages of
     * class 00 (successful completion), such as notices, are no warnings.
     *
     * @param first of the messages that came with the commit, if there are any
     * @throws OutcomeUnknownException if there was a warning: a failover may lose what was committed
     */
    public static void requireNoWarning(@Nullable SQLWarning first) {
        for (SQLWarning told = first; told != null; told = told.getNextWarning()) {
            String state = told.getSQLState();
            if (state == null || !state.startsWith("00")) {
                throw new OutcomeUnknownException(
                        "The database committed but warned that a failover may lose the commit (SQLSTATE %s: %s)"
                                .formatted(state, told.getMessage()),
                        told,
                        FailureCategory.UNKNOWN);
            }
        }
    }

    private static OutcomeUnknownException unknown(SQLException failure) {
        return new OutcomeUnknownException(
                "The connection was lost after an append was sent: whether it was stored is unknown",
                failure,
                category(failure));
    }

    private static boolean isTimeout(SQLException failure) {
        return switch (category(failure)) {
            case LOCK_TIMEOUT -> true;
            // The other timeouts end the connection, too.
            case TIMEOUT -> isCancelled(failure);
            default -> false;
        };
    }
}
