package dev.registrar.eventstore.postgres.connection;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.metrics.Metrics;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: it rejects calls of a server for a while after too many failures. The event store has one for its
 * database ({@code PostgresEventStore.breaker()}); {@link #of} creates one for another server.
 */
public interface CircuitBreaker {

    /** The state of the circuit. */
    enum State {
        /** All calls are permitted. */
        CLOSED,
        /** All calls are rejected. */
        OPEN,
        /** A few trial calls are permitted, which decide whether the circuit closes. */
        HALF_OPEN,
        /** There is no circuit breaker: all calls are permitted. */
        DISABLED
    }

    /**
     * Creates a circuit breaker. Requires {@code io.github.resilience4j:resilience4j-circuitbreaker}, and
     * {@code resilience4j-micrometer} for its meters. Without the first, all calls are permitted, and a log message
     * says so.
     *
     * @param name the name in meters; the event store's circuit breaker is {@code event-store}
     */
    static CircuitBreaker of(String name, BreakerOptions options, Metrics metrics) {
        return CircuitBreakers.of(name, options, metrics);
    }

    /**
     * Makes a call if it is permitted, and reports the result.
     *
     * @param isOutage whether a failure affects the server as a whole; any other failure counts as a success
     * @throws CircuitOpenException if the call is not permitted
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

    /** The number of calls in the current window. */
    int calls();

    /** The number of failed calls in the current window. */
    int failedCalls();

    /**
     * Requests permission for a call. A caller with permission must report the result exactly once, with
     * {@link #succeeded}, {@link #failed} or {@link #release}.
     */
    boolean tryAcquire();

    /** Reports a call whose result does not count for or against the server. */
    void release();

    /** Reports a call that the server answered. */
    void succeeded(long nanoseconds);

    /** Reports a call that failed because of the server. */
    void failed(long nanoseconds, Exception failure);
}
