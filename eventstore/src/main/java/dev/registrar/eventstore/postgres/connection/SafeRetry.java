package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.options.RetryOptions;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
    private final RetryOptions options;
    private final CircuitBreaker breaker;
    private final BooleanSupplier callerInTransaction;
    private final ConnectionMeters meters;

    SafeRetry(
            RetryOptions options,
            CircuitBreaker breaker,
            BooleanSupplier callerInTransaction,
            ConnectionMeters meters) {
        this.options = options;
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
        AtomicReference<@Nullable OutcomeUnknownException> repeated = new AtomicReference<>();
        try {
            return repeated(work, failure -> {
                if (failure instanceof OutcomeUnknownException unknown) {
                    repeated.set(unknown);
                    return true;
                }
                return isRepeatable(failure);
            });
        } catch (EventStoreException failure) {
            OutcomeUnknownException unknown = repeated.get();
            if (unknown == null || failure instanceof OutcomeUnknownException) {
                throw failure;
            }
            unknown.addSuppressed(failure);
            throw unknown;
        }
    }

    private <T> T repeated(Supplier<T> work, Predicate<EventStoreException> isRepeatable) {
        AtomicBoolean isRepetition = new AtomicBoolean();
        return options.backOff()
                .retry(
                        options.maxRetries(),
                        failure -> failure instanceof EventStoreException own && mayRepeat() && isRepeatable.test(own),
                        () -> {
                            if (isRepetition.getAndSet(true)) {
                                meters.retried();
                            }
                            return work.get();
                        });
    }

    private boolean isRepeatable(EventStoreException failure) {
        return failure instanceof StoreUnavailableException
                // The pool has tried to connect for the full connection time-out, or the circuit is open.
                && !(failure.getCause() instanceof SQLTransientConnectionException)
                && !(failure.getCause() instanceof CallNotPermittedException)
                && failure.category().filter(FailureCategory::isTransient).isPresent();
    }

    private boolean mayRepeat() {
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> false;
            case CLOSED, HALF_OPEN, DISABLED, METRICS_ONLY -> !callerInTransaction.getAsBoolean();
        };
    }
}
