package dev.registrar.eventstore.postgres.connection;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.metrics.Metrics;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls of a server that fails too often, for a while. The event store has one for its database
 * ({@code PostgresEventStore.breaker()}); {@link #of} makes one for another server.
 */
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

    /**
     * A circuit breaker. It needs {@code io.github.resilience4j:resilience4j-circuitbreaker}, and
     * {@code resilience4j-micrometer} for its meters. Without the first, all calls are let through, and the log says
     * so.
     *
     * @param name in meters; that of the event store's own is {@code event-store}
     */
    static CircuitBreaker of(String name, BreakerOptions options, Metrics metrics) {
        return CircuitBreakers.of(name, options, metrics);
    }

    /**
     * Makes a call if calls are let through, and reports the result.
     *
     * @param isOutage whether a failure concerns the server as a whole; any other failure counts as an answer
     * @throws CircuitOpenException if calls are not let through
     * @throws X if the call failed
     */
    default <T extends @Nullable Object, X extends Exception> T call(
            Deadline.Work<T, X> call, Predicate<? super Exception> isOutage) throws X {
        if (!tryAcquire()) {
            throw new CircuitOpenException(state());
        }
        long started = System.nanoTime();
        boolean isReported = false;
        try {
            T answer = call.run();
            isReported = true;
            succeeded(System.nanoTime() - started);
            return answer;
        } catch (Exception failure) {
            boolean fails = isOutage.test(failure);
            isReported = true;
            if (fails) {
                failed(System.nanoTime() - started, failure);
            } else {
                succeeded(System.nanoTime() - started);
            }
            throw failure;
        } finally {
            if (!isReported) {
                release();
            }
        }
    }

    State state();

    /** Calls of the current window. */
    int calls();

    /** Calls of the current window that failed. */
    int failedCalls();

    /**
     * Asks for permission to call the server. With permission, the caller reports the result once: by
     * {@link #succeeded}, {@link #failed} or {@link #release}.
     */
    boolean tryAcquire();

    /** Reports that a call says nothing about the server. */
    void release();

    /** Reports a call that the server answered. */
    void succeeded(long nanoseconds);

    /** Reports a call that failed because of the server. */
    void failed(long nanoseconds, Exception failure);
}
