package dev.registrar.eventstore.postgres.options;

import dev.registrar.options.Bounds;
import java.time.Duration;

/**
 * The bounds of condition checks outside the store's lock, for conditions that are too expensive to evaluate in a group
 * of appends.
 *
 * @param atOnce concurrent checks, each on one of the connections for reads, 1 to 1,000
 * @param maxWaiting requests that may wait for their check, 1 to 1,000,000; further requests are refused as overload
 * @param maxWait how long a request waits for its check, 1 ms to 1 h
 * @param timeout how long one check may run, 1 ms to 1 h
 * @param maxChecks checks of one request, 1 to 100; each further check covers only events since the previous one
 */
public record CheckOptions(int atOnce, int maxWaiting, Duration maxWait, Duration timeout, int maxChecks) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    public CheckOptions {
        Bounds.check("store.check.atOnce", atOnce, 1, 1_000);
        Bounds.check("store.check.maxWaiting", maxWaiting, 1, 1_000_000);
        Bounds.check("store.check.maxWait", maxWait, MILLISECOND, HOUR);
        Bounds.check("store.check.timeout", timeout, MILLISECOND, HOUR);
        Bounds.check("store.check.maxChecks", maxChecks, 1, 100);
    }

    /**
     * 2 concurrent checks of up to 10 s each; up to 1,000 requests that wait up to 10 s; up to 8 checks of one request.
     */
    public static CheckOptions defaults() {
        return new CheckOptions(2, 1_000, Duration.ofSeconds(10), Duration.ofSeconds(10), 8);
    }
}
