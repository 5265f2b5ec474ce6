package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * What kind of failure the database met, told by its SQLSTATE (PostgreSQL documentation, appendix A). What is tried
 * again, what opens the circuit breaker, what meters count and what a problem tells all go by it.
 */
public enum FailureCategory {
    /**
     * There is no connection to a server that takes writes: class 08, no state at all, 25006 (the server is read-only,
     * such as a standby after a failover), or 57P04 (the database was dropped).
     */
    CONNECTION,
    /** The server is stopping, has crashed or is just starting: 57P01, 57P02, 57P03. */
    TRANSIENT,
    /** A statement, a transaction or an idle session took longer than it may: 57014, 57P05, 25P03, 25P04. */
    TIMEOUT,
    /** A lock was not to be had in time: 55P03. */
    LOCK_TIMEOUT,
    /** Transactions could not be put in an order: 40001. */
    SERIALIZATION,
    /** Transactions waited for each other: 40P01. */
    DEADLOCK,
    /** A value that the database does not keep: classes 22 and 23. */
    CONSTRAINT,
    /** A statement that the database does not understand or allow: classes 42 and 0A. */
    SYNTAX,
    /** No memory, disk space or connections are left: class 53. */
    OUT_OF_RESOURCES,
    /** Anything else. */
    UNKNOWN;

    /** The category of an SQLSTATE; null is the state of a connection that broke. */
    public static FailureCategory ofSqlState(@Nullable String state) {
        if (state == null) {
            return CONNECTION;
        }
        return switch (state) {
            case "25006", "57P04" -> CONNECTION;
            case "57P01", "57P02", "57P03" -> TRANSIENT;
            case "57014", "57P05", "25P03", "25P04" -> TIMEOUT;
            case "55P03" -> LOCK_TIMEOUT;
            case "40001" -> SERIALIZATION;
            case "40P01" -> DEADLOCK;
            default ->
                switch (state.substring(0, Math.min(2, state.length()))) {
                    case "08" -> CONNECTION;
                    case "22", "23" -> CONSTRAINT;
                    case "42", "0A" -> SYNTAX;
                    case "53" -> OUT_OF_RESOURCES;
                    default -> UNKNOWN;
                };
        };
    }

    /** Whether the same may well succeed a moment later, without anybody changing anything. */
    public boolean isTransient() {
        return switch (this) {
            case CONNECTION, TRANSIENT, SERIALIZATION, DEADLOCK -> true;
            case TIMEOUT, LOCK_TIMEOUT, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether the connection is of no more use, and others of the same pool probably neither. */
    public boolean isLoss() {
        return switch (this) {
            case CONNECTION, TRANSIENT -> true;
            case TIMEOUT, LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether it speaks against the database as a whole, and not only against what was asked of it. */
    public boolean isOutage() {
        return switch (this) {
            case CONNECTION, TRANSIENT, TIMEOUT, OUT_OF_RESOURCES -> true;
            case LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, UNKNOWN -> false;
        };
    }
}
