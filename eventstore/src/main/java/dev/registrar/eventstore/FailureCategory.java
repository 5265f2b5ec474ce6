package dev.registrar.eventstore;

/**
 * The category of a failure that a store's database has reported. Retries, the circuit breaker, meters and problem
 * details depend on it. Each store maps its database's error codes to these categories.
 */
public enum FailureCategory {
    /** No connection to a server that accepts writes. */
    CONNECTION,
    /** The server is stopping, has crashed or is starting. */
    TRANSIENT,
    /** A statement, a transaction or an idle session exceeded its time limit. */
    TIMEOUT,
    /** A lock was not acquired within its time-out. */
    LOCK_TIMEOUT,
    /** Concurrent transactions could not be serialized. */
    SERIALIZATION,
    /** The transaction was the victim of a deadlock. */
    DEADLOCK,
    /** The database rejected a value. */
    CONSTRAINT,
    /** The database cannot parse the statement, or does not permit it. */
    SYNTAX,
    /** Memory, disk space or connections are exhausted, or the server's disk fails. */
    OUT_OF_RESOURCES,
    /** Any other failure. */
    UNKNOWN;

    /** Whether the same request may succeed shortly afterwards, without intervention. */
    public boolean isTransient() {
        return switch (this) {
            case CONNECTION, TRANSIENT, SERIALIZATION, DEADLOCK -> true;
            case TIMEOUT, LOCK_TIMEOUT, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether the connection is lost, and other connections of the pool probably are as well. */
    public boolean isLoss() {
        return switch (this) {
            case CONNECTION, TRANSIENT -> true;
            case TIMEOUT, LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether a statement or its use is wrong: waiting does not help. */
    public boolean isMistake() {
        return switch (this) {
            case CONSTRAINT, SYNTAX, UNKNOWN -> true;
            case CONNECTION, TRANSIENT, TIMEOUT, LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, OUT_OF_RESOURCES -> false;
        };
    }

    /** Whether the failure affects the database as a whole, not only this request. */
    public boolean isOutage() {
        return switch (this) {
            case CONNECTION, TRANSIENT, TIMEOUT, OUT_OF_RESOURCES -> true;
            case LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, UNKNOWN -> false;
        };
    }
}
