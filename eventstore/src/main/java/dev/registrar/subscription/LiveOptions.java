package dev.registrar.subscription;

import dev.registrar.options.Bounds;

/**
 * The bounds of a live feed.
 *
 * @param maxListeners maximum number of listeners, 1 to 1,000,000; further listeners are refused as overload
 * @param maxWaiting maximum number of events that wait for one listener, 1 to 100,000; the listener ends when it is
 *     exceeded
 */
public record LiveOptions(int maxListeners, int maxWaiting) {

    public LiveOptions {
        Bounds.check("live.maxListeners", maxListeners, 1, 1_000_000);
        Bounds.check("live.maxWaiting", maxWaiting, 1, 100_000);
    }

    /** 1,000 listeners, each with up to 1,000 waiting events. */
    public static LiveOptions defaults() {
        return new LiveOptions(1_000, 1_000);
    }
}
