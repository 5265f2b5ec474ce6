package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.metrics.Metrics;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/**
 * What a store uses of the application that it runs in.
 *
 * @param clock that stamps events; idempotency keys expire by the database's own
 * @param metrics take the store's meters, whose names begin with {@code registrar.store}
 * @param callerInTransaction whether the current thread is in a transaction of the application: then the store refuses
 *     appends, which are transactions of their own, and repeats no failed call
 */
public record StoreContext(InstantSource clock, Metrics metrics, BooleanSupplier callerInTransaction) {

    /** The system's clock, no metrics, and no transactions of the application. */
    public static StoreContext standalone() {
        return new StoreContext(InstantSource.system(), Metrics.none(), () -> false);
    }

    /** The same with another clock. */
    public StoreContext withClock(InstantSource other) {
        return new StoreContext(other, metrics, callerInTransaction);
    }

    /** The same with other metrics. */
    public StoreContext withMetrics(Metrics other) {
        return new StoreContext(clock, other, callerInTransaction);
    }

    /** The same with another way to see the application's transactions. */
    public StoreContext withCallerInTransaction(BooleanSupplier other) {
        return new StoreContext(clock, metrics, other);
    }
}
