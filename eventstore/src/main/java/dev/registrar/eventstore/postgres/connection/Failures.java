package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;

/** Translates a failure of the database into an exception for the caller, by its SQLSTATE and the operation. */
public final class Failures {
    private static final String COMPLETION_UNKNOWN = "40003";
    private static final String UNIQUE_VIOLATION = "23505";
    private static final String CANCELLED = "57014";
    private static final String WRONG_ISOLATION = "DCB01";
    private static final String HOLDS_STORE_LOCK = "DCB02";

    private Failures() {}

    /**
     * No connection was available, so nothing was sent.
     *
     * @param reason why the pool cannot connect; empty if all connections are in use
     */
    static EventStoreException noConnection(SQLException failure, Optional<SQLException> reason) {
        if (reason.isEmpty() && failure instanceof SQLTransientConnectionException) {
            return exhausted(failure);
        }
        reason.ifPresent(failure::addSuppressed);
        return unreachable(failure, category(reason.orElse(failure)));
    }

    /** A pool of the application had no connection in time, so nothing was sent. Its reason is that of the server. */
    public static EventStoreException noConnection(SQLTransientConnectionException failure) {
        return failure.getCause() == null ? exhausted(failure) : unreachable(failure, category(failure));
    }

    private static StoreTimeoutException exhausted(SQLException failure) {
        return new StoreTimeoutException(
                "No connection to the database became free in time", failure, FailureCategory.OUT_OF_RESOURCES);
    }

    /** No connection could be made without a pool, so nothing was sent. */
    public static EventStoreException connect(SQLException failure) {
        return unreachable(failure, category(failure));
    }

    private static EventStoreException unreachable(SQLException failure, FailureCategory category) {
        return new StoreUnavailableException(
                category == FailureCategory.OUT_OF_RESOURCES
                        ? "The event store's database accepts no more connections"
                        : "The event store's database cannot be reached",
                failure,
                category == FailureCategory.UNKNOWN ? FailureCategory.CONNECTION : category);
    }

    /** The category of a failure, by its SQLSTATE. */
    public static FailureCategory category(SQLException failure) {
        return SqlStates.category(failure.getSQLState());
    }

    /** A read failed. */
    public static EventStoreException read(SQLException failure) {
        return of("A read of the event store", failure);
    }

    /**
     * Work that may be repeated has failed.
     *
     * @param work such as {@code A read of the event store}
     */
    public static EventStoreException of(String work, SQLException failure) {
        FailureCategory category = category(failure);
        if (category == FailureCategory.TIMEOUT || category == FailureCategory.LOCK_TIMEOUT) {
            return new StoreTimeoutException("%s timed out".formatted(work), failure, category);
        }
        return isInput(failure)
                ? new RefusedInputException("%s has a value that the database cannot read (SQLSTATE %s)"
                        .formatted(work, failure.getSQLState()))
                : new StoreUnavailableException("%s failed".formatted(work), failure, category);
    }

    /* Class 22 (data exception) without the mistakes of a statement: a division by zero, and a wrong parameter. */
    private static boolean isInput(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("22") && !state.equals("22012") && !state.equals("22023");
    }

    /** A check of an append's conditions failed, before the append was sent. */
    public static EventStoreException check(SQLException failure, Duration most) {
        if (isInput(failure)) {
            return new RefusedInputException("A condition has a value that the database cannot read (SQLSTATE %s)"
                    .formatted(failure.getSQLState()));
        }
        return timeoutOr(
                failure,
                "An append was not carried out: the check of its conditions exceeded %s or the caller's deadline"
                        .formatted(most),
                "An append was not carried out: the check of its conditions failed");
    }

    /** Whether a failure proves that nothing was done, and its cause may soon be over. */
    static boolean isRepeatable(EventStoreException failure) {
        return failure instanceof StoreUnavailableException
                // The pool has tried to connect for the full connection time-out, or the circuit is open.
                && !(failure.getCause() instanceof SQLTransientConnectionException)
                && !(failure.getCause() instanceof CallNotPermittedException)
                && failure.category().filter(FailureCategory::isTransient).isPresent();
    }

    /**
     * Resource locks were not acquired, so nothing was appended. Any time-out of the wait counts as a lock time-out,
     * whichever setting has ended it.
     */
    public static RuntimeException lock(SQLException failure, ResourceLocks locks) {
        if (HOLDS_STORE_LOCK.equals(failure.getSQLState())) {
            return new IllegalStateException(
                    "Resource locks must be taken before the store's lock, but this transaction has already appended; lock %s in its first append"
                            .formatted(locks.names()),
                    failure);
        }
        return isTimeout(failure)
                ? new StoreTimeoutException(
                        "The locks of the resources %s were not acquired within %s"
                                .formatted(locks.names(), locks.timeout()),
                        failure,
                        FailureCategory.LOCK_TIMEOUT)
                : new StoreUnavailableException("The resource locks could not be acquired", failure, category(failure));
    }

    /**
     * Whether the database refused a value, and therefore rolled back the whole call: SQLSTATE class 22 (data
     * exception) and class 23 (integrity constraint violation). Unique violations are excluded, because the store
     * itself assigns positions and keys.
     */
    public static boolean isAboutData(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("22") || (state.startsWith("23") && !state.equals(UNIQUE_VIOLATION));
    }

    /** Whether the server cancelled the call and rolled it back, because of a time-out or on request. */
    public static boolean isCancelled(SQLException failure) {
        return CANCELLED.equals(failure.getSQLState());
    }

    /** An append failed after it was sent. Only an error reported by the server proves that it did not commit. */
    public static RuntimeException append(SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        if (state.equals(WRONG_ISOLATION)) {
            return new IllegalStateException("The event store's connections must be at READ COMMITTED", failure);
        }
        if (isTimeout(failure)) {
            return new StoreTimeoutException(
                    "An append timed out while waiting for a lock or running", failure, category(failure));
        }
        return switch (state.substring(0, Math.min(2, state.length()))) {
            case "22", "23" ->
                state.equals(UNIQUE_VIOLATION)
                        ? new StoreUnavailableException(
                                "An append violated a unique key of the event store's tables",
                                failure,
                                category(failure))
                        : refusedValue(failure);
            // Connection lost, server shut down or crashed, or no SQLSTATE. 40003 is "statement completion unknown".
            case "08", "57", "58", "XX", "F0", "" -> unknown(failure);
            default ->
                state.equals(COMPLETION_UNKNOWN)
                        ? unknown(failure)
                        : new StoreUnavailableException(
                                "The event store's database failed to append", failure, category(failure));
        };
    }

    /**
     * An append in the caller's transaction failed. It cannot commit: it was rolled back to its savepoint, or the
     * server rolls back the whole transaction.
     */
    public static RuntimeException joined(SQLException failure) {
        return isAboutData(failure)
                ? refusedValue(failure)
                : timeoutOr(
                        failure,
                        "An append in the caller's transaction timed out while waiting for a lock or running; nothing was appended",
                        "The event store's database failed to append in the caller's transaction; nothing was appended");
    }

    private static EventStoreException timeoutOr(SQLException failure, String timeout, String otherwise) {
        return isTimeout(failure)
                ? new StoreTimeoutException(timeout, failure, category(failure))
                : new StoreUnavailableException(otherwise, failure, category(failure));
    }

    private static RefusedInputException refusedValue(SQLException failure) {
        return new RefusedInputException("The event store's database cannot store a value of the append (SQLSTATE %s)"
                .formatted(failure.getSQLState()));
    }

    private static OutcomeUnknownException unknown(SQLException failure) {
        return new OutcomeUnknownException(
                "The connection was lost after an append was sent; whether it was stored is unknown",
                failure,
                category(failure));
    }

    private static boolean isTimeout(SQLException failure) {
        return switch (category(failure)) {
            case LOCK_TIMEOUT -> true;
            // Other time-outs also end the connection.
            case TIMEOUT -> isCancelled(failure);
            default -> false;
        };
    }
}
