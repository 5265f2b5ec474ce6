package dev.registrar.subscription;

/**
 * The bounds of a live feed.
 *
 * @param maxListeners maximum number of listeners, 1 to {@value #MOST_LISTENERS}; further listeners are refused as
 *     overload
 * @param maxWaiting maximum number of events that wait for one listener, 1 to {@value #MOST_WAITING}; the listener ends
 *     when it is exceeded
 */
public record LiveOptions(int maxListeners, int maxWaiting) {
    /** The largest allowed number of listeners. */
    public static final int MOST_LISTENERS = 1_000_000;

    /** The largest allowed number of events that wait for one listener. */
    public static final int MOST_WAITING = 100_000;

    public LiveOptions {
        check("maxListeners", maxListeners, MOST_LISTENERS);
        check("maxWaiting", maxWaiting, MOST_WAITING);
    }

    private static void check(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s must be between 1 and %s but is %s".formatted(name, most, value));
        }
    }

    /** 1,000 listeners, each with up to 1,000 waiting events. */
    public static LiveOptions defaults() {
        return new LiveOptions(1_000, 1_000);
    }
}
