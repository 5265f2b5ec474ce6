package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.GroupOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of the groups in which appends are sent. A group takes at least one request, whatever its size.
 *
 * @param maxRequests requests in one group of appends
 * @param maxEvents events in one group
 * @param maxBytes bytes of all payloads and metadata in one group, in UTF-8
 * @param maxProbes index probes for the conditions of one group: one for each tag of a query item, or for each type of
 *     an item without tags
 * @param inFlight groups in flight to the database at a time; the store's lock admits one at a time
 * @param maxWait how long a request waits for its group; then it is rejected as overload
 * @param maxWaiting requests that may wait for their group; further requests are rejected as overload
 */
record GroupSettings(
        @DefaultValue("256") int maxRequests,
        @DefaultValue("2000") int maxEvents,
        @DefaultValue("8388608") int maxBytes,
        @DefaultValue("4000") int maxProbes,
        @DefaultValue("1") int inFlight,
        @DefaultValue("10000") int maxWaiting,
        @DefaultValue("5s") Duration maxWait) {

    GroupOptions options() {
        return new GroupOptions(maxRequests, maxEvents, maxBytes, maxProbes, inFlight, maxWaiting, maxWait);
    }
}
