package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import java.time.Clock;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The clock bean: one of the application's own, or that of the machine. The latter leaves the time to the store. */
final class ApplicationClock {
    static final InstantSource DEFAULT = InstantSource.system();

    private ApplicationClock() {}

    /** The application's own clock; null if it has none but that of the machine, which may differ from the others'. */
    static @Nullable InstantSource own(InstantSource bean) {
        boolean isOfMachine =
                bean.equals(DEFAULT) || (bean instanceof Clock clock && clock.equals(Clock.system(clock.getZone())));
        return isOfMachine ? null : bean;
    }

    /** The application's own clock, otherwise the store's. */
    static InstantSource orOf(EventStore store, InstantSource bean) {
        InstantSource own = own(bean);
        return own == null ? store.clock() : own;
    }
}
