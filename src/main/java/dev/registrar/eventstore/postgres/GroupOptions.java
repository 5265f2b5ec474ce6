package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.connection.Bounds;
import java.time.Duration;

/**
 * The bounds of the groups in which appends are sent. A group takes at least one request, whatever its size.
 *
 * @param maxRequests requests in a group, 1 to 10,000
 * @param maxEvents events in a group, 1 to 100,000
 * @param maxBytes bytes of all payloads and metadata of a group, in UTF-8, 1 to 500,000,000
 * @param maxProbes probes of indexes that a group's conditions need, 1 to 1,000,000: one for each tag of a query item,
 *     or for each type of an item without tags
 * @param inFlight groups on their way to the database at a time, 1 to 16; the store's lock lets one of them through at
 *     a time
 * @param maxWaiting requests that wait for their group, 1 to 1,000,000; one more is refused as overload
 * @param maxWait how long a request waits for its group, 1 ms to 1 h
 */
public record GroupOptions(
        int maxRequests, int maxEvents, int maxBytes, int maxProbes, int inFlight, int maxWaiting, Duration maxWait) {

    public GroupOptions {
        Bounds.check("group.maxRequests", maxRequests, 1, 10_000);
        Bounds.check("group.maxEvents", maxEvents, 1, 100_000);
        Bounds.check("group.maxBytes", maxBytes, 1, 500_000_000);
        Bounds.check("group.maxProbes", maxProbes, 1, 1_000_000);
        Bounds.check("group.inFlight", inFlight, 1, 16);
        Bounds.check("group.maxWaiting", maxWaiting, 1, 1_000_000);
        Bounds.check("group.maxWait", maxWait, Duration.ofMillis(1), Duration.ofHours(1));
    }

    /**
     * Groups of up to 256 requests, 2,000 events and 8 MiB, one at a time; up to 10,000 requests wait, for 5 s each.
     */
    public static GroupOptions defaults() {
        return new GroupOptions(256, 2_000, 8 << 20, 4_000, 1, 10_000, Duration.ofSeconds(5));
    }
}
