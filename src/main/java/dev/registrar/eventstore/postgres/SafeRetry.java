package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryListener;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryState;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tries again, after a growing and random pause, what failed in passing and certainly was not done. Conflicts and
 * refusals are answers and not failures; a timeout has used up its caller's time; inside a caller's transaction nothing
 * is tried again, nor past a request's deadline, nor while the circuit is open.
 */
final class SafeRetry {
    private final boolean retries;
    private final CircuitBreaker breaker;
    private final RetryTemplate certainlyNotDone;
    private final RetryTemplate perhapsDone;

    SafeRetry(RetrySettings settings, CircuitBreaker breaker, StoreMeters meters) {
        this.retries = settings.maxRetries() > 0;
        this.breaker = breaker;
        this.certainlyNotDone = template(settings, failure -> isWorthAnother() && isPassing(failure), meters);
        this.perhapsDone = template(
                settings,
                failure -> isWorthAnother() && (isPassing(failure) || failure instanceof OutcomeUnknownException),
                meters);
    }

    private static RetryTemplate template(RetrySettings settings, Predicate<Throwable> predicate, StoreMeters meters) {
        RetryPolicy policy = RetryPolicy.builder()
                .maxRetries(settings.maxRetries())
                .delay(settings.delay())
                .multiplier(settings.multiplier())
                .jitter(settings.jitter())
                .maxDelay(settings.maxDelay())
                .predicate(predicate)
                .build();
        RetryTemplate template = new RetryTemplate(policy);
        template.setRetryListener(new RetryListener() {
            @Override
            public void beforeRetry(RetryPolicy retried, Retryable<?> retryable, RetryState state) {
                meters.retried();
            }
        });
        return template;
    }

    private static boolean isPassing(Throwable failure) {
        return failure instanceof StoreUnavailableException unavailable
                // The pool has tried to connect for as long as a caller waits, or the circuit let nobody through.
                && !(unavailable.getCause() instanceof SQLTransientConnectionException)
                && !(unavailable.getCause() instanceof CallNotPermittedException)
                && unavailable.category().filter(FailureCategory::isTransient).isPresent();
    }

    private boolean isWorthAnother() {
        return !Deadline.isOver()
                && breaker.getState() != CircuitBreaker.State.OPEN
                && !TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** For work that has no effect, or a failure of which says whether it had one. */
    <T> T once(Supplier<T> work) {
        return retries ? certainlyNotDone.invoke(work) : work.get();
    }

    /**
     * For work that an idempotency key keeps from being done twice. Once it may have been done, no later failure says
     * that it was not.
     */
    <T> T onceByKey(Supplier<T> work) {
        if (!retries) {
            return work.get();
        }
        AtomicReference<@Nullable OutcomeUnknownException> perhaps = new AtomicReference<>();
        try {
            return perhapsDone.invoke(() -> {
                try {
                    return work.get();
                } catch (OutcomeUnknownException unknown) {
                    perhaps.set(unknown);
                    throw unknown;
                }
            });
        } catch (EventStoreException failure) {
            OutcomeUnknownException unknown = perhaps.get();
            if (unknown == null || unknown == failure) {
                throw failure;
            }
            unknown.addSuppressed(failure);
            throw unknown;
        }
    }
}
