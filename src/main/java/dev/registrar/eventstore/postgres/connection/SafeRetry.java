package dev.registrar.eventstore.postgres.connection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.Retry;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.SQLTransientConnectionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats calls of the database that failed in passing and can be repeated safely, after a growing and random pause.
 * Conflicts and refusals are answers, not failures. A time-out is not repeated, since the caller's time is used up. No
 * call is repeated inside a caller's transaction, past a request's deadline, or while the circuit is open.
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

    /** Repeats work after a failure that says that nothing was done; also work that has no effect. */
    <T> T ifNothingWasDone(Supplier<T> work) {
        return repeated(work, this::isRepeatable);
    }

    /**
     * Repeats work also when it may have been done, since an idempotency key keeps it from being done twice. Once it
     * may have been done, no later failure says that it was not.
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

    /** Counts each attempt but the first. */
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
                // The pool has tried to connect for as long as a caller waits, or the circuit is open.
                && !(failure.getCause() instanceof SQLTransientConnectionException)
                && !(failure.getCause() instanceof CircuitOpenException)
                && failure.category().filter(FailureCategory::isTransient).isPresent();
    }

    private boolean mayRepeat() {
        return breaker.state() != CircuitBreaker.State.OPEN && !callerInTransaction.getAsBoolean();
    }

    /** Remembers whether one of several attempts may have been carried out. */
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
