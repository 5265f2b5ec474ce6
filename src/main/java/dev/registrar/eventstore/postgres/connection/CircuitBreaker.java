package dev.registrar.eventstore.postgres.connection;

/** Stops calls of a database that fails too often, for a while. */
public interface CircuitBreaker {

    /** Whether calls are let through. */
    enum State {
        /** All calls are let through. */
        CLOSED,
        /** No call is let through. */
        OPEN,
        /** A few trial calls are let through, and decide whether the circuit closes. */
        HALF_OPEN,
        /** There is no circuit breaker: all calls are let through. */
        DISABLED
    }

    State state();

    /** Calls of the current window. */
    int calls();

    /** Calls of the current window that failed. */
    int failedCalls();

    /**
     * Asks for permission to call the database. With permission, the caller reports the result once: by
     * {@link #succeeded}, {@link #failed} or {@link #release}.
     */
    boolean tryAcquire();

    /** Reports that a call says nothing about the database. */
    void release();

    /** Reports a call that the database answered. */
    void succeeded(long nanoseconds);

    /** Reports a call that failed because of the database. */
    void failed(long nanoseconds, Exception failure);
}
