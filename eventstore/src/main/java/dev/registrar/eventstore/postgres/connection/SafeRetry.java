package dev.registrar.eventstore.postgres.connection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.Retry;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.sql.SQLTransientConnectionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats database calls after transient failures, with a randomized exponential back-off, where a repetition is safe.
 * Conflicts and refusals are answers, not failures. A call is not repeated after a time-out, because the caller's time
 * is used up. No call is repeated inside a caller's transaction, after a request's deadline, or while the circuit is
 * open.
 */
final class SafeRetry {
    private final int maxRetries;
    private final BackOff backOff;
    private final CircuitBreaker breaker;
    private final BooleanSupplier callerInTransaction;
    private final ConnectionMeters meters;

    SafeRetry(
            RetryOptions settings,
            CircuitBreaker breaker,
            BooleanSupplier callerInTransaction,
            ConnectionMeters meters) {
        this.maxRetries = settings.maxRetries();
        this.backOff = settings.backOff();
        this.breaker = breaker;
        this.callerInTransaction = callerInTransaction;
        this.meters = meters;
    }

    /**
     * Repeats work after a failure that proves that nothing was done. Also suitable for work without effects, such as
     * reads.
     */
    <T> T ifNothingWasDone(Supplier<T> work) {
        return repeated(work, this::isRepeatable);
    }

    /**
     * Repeats work even if it may have been done, for work with an idempotency key. Once an attempt may have succeeded,
     * a later failure does not prove that nothing was done.
     */
    <T> T evenIfDone(Supplier<T> work) {
        UnknownOutcome outcome = new UnknownOutcome();
        try {
            return repeated(
                    () -> outcome.ofThis(work),
                    failure -> isRepeatable(failure) || failure instanceof OutcomeUnknownException);
        } catch (EventStoreException failure) {
            throw outcome.orElse(failure);
        }
    }

    private <T> T repeated(Supplier<T> work, Predicate<EventStoreException> isRepeatable) {
        Attempts attempts = new Attempts();
        return new Retry(
                        maxRetries,
                        backOff,
                        failure -> failure instanceof EventStoreException own && mayRepeat() && isRepeatable.test(own))
                .call(() -> attempts.ofThis(work));
    }

    /** Counts each attempt except for the first. */
    private final class Attempts {
        private boolean begun;

        <T> T ofThis(Supplier<T> attempt) {
            if (begun) {
                meters.retried();
            }
            begun = true;
            return attempt.get();
        }
    }

    private boolean isRepeatable(EventStoreException failure) {
        return failure instanceof StoreUnavailableException
                // The pool has tried to connect for the full connection time-out, or the circuit is open.
                && !(failure.getCause() instanceof SQLTransientConnectionException)
                && !(failure.getCause() instanceof CallNotPermittedException)
                && failure.category().filter(FailureCategory::isTransient).isPresent();
    }

    private boolean mayRepeat() {
        return breaker.getState() != CircuitBreaker.State.OPEN && !callerInTransaction.getAsBoolean();
    }

    /** Records whether one of several attempts may have succeeded. */
    private static final class UnknownOutcome {
        private @Nullable OutcomeUnknownException last;

        <T> T ofThis(Supplier<T> attempt) {
            try {
                return attempt.get();
            } catch (OutcomeUnknownException unknown) {
                last = unknown;
                throw unknown;
            }
        }

        EventStoreException orElse(EventStoreException failure) {
            if (last == null || last == failure) {
                return failure;
            }
            last.addSuppressed(failure);
            return last;
        }
    }
}
