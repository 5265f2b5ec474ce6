package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.GroupOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of the groups in which appends are sent. A group takes at least one request, whatever its size.
 *
 * @param maxRequests requests in a group
 * @param maxEvents events in a group
 * @param maxBytes bytes of all payloads and metadata of a group, in UTF-8
 * @param maxProbes probes of indexes that a group's conditions ask for: one for each tag of a query item, or for each
 *     type of an item without tags
 * @param inFlight groups on their way to the database at a time; the store's lock lets one of them through at a time
 * @param maxWaiting requests that wait for their group; one more is refused as overload
 * @param maxWait how long a request waits for its group
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
