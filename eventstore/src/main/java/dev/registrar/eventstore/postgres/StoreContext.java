package dev.registrar.eventstore.postgres;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store needs from its application.
 *
 * @param clock the clock for the time of events and of decisions; null for that of the database's server, which all
 *     instances share. Idempotency keys expire by the server's clock in any case
 * @param metrics the registry for the store's meters, whose names start with {@code registrar.store}; a
 *     {@code CompositeMeterRegistry} without registries discards them
 * @param callerInTransaction whether the current thread is in a transaction of the application; if so, the store
 *     refuses appends, which are transactions of their own, and does not repeat failed calls
 */
public record StoreContext(@Nullable InstantSource clock, MeterRegistry metrics, BooleanSupplier callerInTransaction) {

    /** The context of a standalone store: the server's clock, no metrics, and no transactions of the application. */
    public static StoreContext standalone() {
        return new StoreContext(null, new CompositeMeterRegistry(), () -> false);
    }

    /** The same context with another clock, or with that of the server. */
    public StoreContext withClock(@Nullable InstantSource other) {
        return new StoreContext(other, metrics, callerInTransaction);
    }

    /** The same context with another registry for the store's meters. */
    public StoreContext withMetrics(MeterRegistry other) {
        return new StoreContext(clock, other, callerInTransaction);
    }

    /** The same context with another test for the application's transactions. */
    public StoreContext withCallerInTransaction(BooleanSupplier other) {
        return new StoreContext(clock, metrics, other);
    }
}
