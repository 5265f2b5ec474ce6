package dev.registrar.eventstore.postgres.options;

import dev.registrar.options.Bounds;
import java.time.Duration;

/**
 * The bounds of append groups. A group always takes at least one request, even if the request alone exceeds a bound.
 *
 * @param maxRequests requests in a group, 1 to 10,000
 * @param maxEvents events in a group, 1 to 100,000; together they have at most five times as many tags
 * @param maxBytes bytes of all payloads and metadata of a group, in UTF-8, 1 to 500,000,000
 * @param maxProbes index probes for a group's conditions, 1 to 1,000,000; a query item needs one probe for each tag,
 *     and for each type if it has no tags or at most 8 types
 * @param inFlight concurrent groups in flight to the database, 1 to 16; the store's lock serializes them
 * @param maxWaiting requests that may wait for their group, 1 to 1,000,000; further requests are refused as overload
 * @param maxWait how long a request waits for its group, 1 ms to 1 h
 */
public record GroupOptions(
        int maxRequests, int maxEvents, int maxBytes, int maxProbes, int inFlight, int maxWaiting, Duration maxWait) {

    public GroupOptions {
        Bounds.check("store.group.maxRequests", maxRequests, 1, 10_000);
        Bounds.check("store.group.maxEvents", maxEvents, 1, 100_000);
        Bounds.check("store.group.maxBytes", maxBytes, 1, 500_000_000);
        Bounds.check("store.group.maxProbes", maxProbes, 1, 1_000_000);
        Bounds.check("store.group.inFlight", inFlight, 1, 16);
        Bounds.check("store.group.maxWaiting", maxWaiting, 1, 1_000_000);
        Bounds.check("store.group.maxWait", maxWait, Duration.ofMillis(1), Duration.ofHours(1));
    }

    /** Groups of up to 256 requests, 2,000 events and 8 MiB, one at a time; up to 10,000 requests wait up to 5 s. */
    public static GroupOptions defaults() {
        return new GroupOptions(256, 2_000, 8 << 20, 4_000, 1, 10_000, Duration.ofSeconds(5));
    }
}
