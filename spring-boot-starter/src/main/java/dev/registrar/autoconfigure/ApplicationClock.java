package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The clock bean, which is the application's own or the default. The default leaves the time to the store. */
final class ApplicationClock {
    static final InstantSource DEFAULT = InstantSource.system();

    private ApplicationClock() {}

    /** The application's own clock; null if it has none. */
    static @Nullable InstantSource own(InstantSource bean) {
        return bean.equals(DEFAULT) ? null : bean;
    }

    /** The application's own clock, otherwise the store's. */
    static InstantSource orOf(EventStore store, InstantSource bean) {
        InstantSource own = own(bean);
        return own == null ? store.clock() : own;
    }
}
