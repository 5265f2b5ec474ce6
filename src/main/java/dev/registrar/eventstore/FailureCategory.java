package dev.registrar.eventstore;

/**
 * The kind of failure that a store's database reported. Retries, the circuit breaker, meters and problem details are
 * decided by it. How a database reports a kind is the store's own matter.
 */
public enum FailureCategory {
    /** No connection to a server that accepts writes. */
    CONNECTION,
    /** The server is stopping, has crashed or is starting. */
    TRANSIENT,
    /** A statement, a transaction or an idle session exceeded its time limit. */
    TIMEOUT,
    /** A lock was not granted in time. */
    LOCK_TIMEOUT,
    /** Concurrent transactions could not be serialized. */
    SERIALIZATION,
    /** The transaction was the victim of a deadlock. */
    DEADLOCK,
    /** The database rejected a value. */
    CONSTRAINT,
    /** A statement that the database does not understand or does not permit. */
    SYNTAX,
    /** Memory, disk space or connections are exhausted. */
    OUT_OF_RESOURCES,
    /** Any other failure. */
    UNKNOWN;

    /** Whether the same request may succeed a moment later without any intervention. */
    public boolean isTransient() {
        return switch (this) {
            case CONNECTION, TRANSIENT, SERIALIZATION, DEADLOCK -> true;
            case TIMEOUT, LOCK_TIMEOUT, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether the connection is lost, and others of the same pool probably with it. */
    public boolean isLoss() {
        return switch (this) {
            case CONNECTION, TRANSIENT -> true;
            case TIMEOUT, LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, OUT_OF_RESOURCES, UNKNOWN -> false;
        };
    }

    /** Whether the failure concerns the database as a whole and not only the request. */
    public boolean isOutage() {
        return switch (this) {
            case CONNECTION, TRANSIENT, TIMEOUT, OUT_OF_RESOURCES -> true;
            case LOCK_TIMEOUT, SERIALIZATION, DEADLOCK, CONSTRAINT, SYNTAX, UNKNOWN -> false;
        };
    }
}
