package dev.registrar.eventstore.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
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
public record GroupSettings(
        @DefaultValue("256") @Min(1) @Max(10_000) int maxRequests,
        @DefaultValue("2000") @Min(1) @Max(100_000) int maxEvents,
        @DefaultValue("8388608") @Min(1) @Max(500_000_000) int maxBytes,
        @DefaultValue("4000") @Min(1) @Max(1_000_000) int maxProbes,
        @DefaultValue("1") @Min(1) @Max(16) int inFlight,
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int maxWaiting,

        @DefaultValue("5s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration maxWait) {}
