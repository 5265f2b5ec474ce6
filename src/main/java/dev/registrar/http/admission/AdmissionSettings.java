package dev.registrar.http.admission;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many requests are let in, and how long they may take. They concern the API alone, not health and metrics.
 *
 * @param maxConcurrentRequests that are worked on at a time, each of which takes about 90 KB of heap; one more is
 *     answered 503
 * @param deadline of a request, from when it is read: whatever waits or works for it gives up then
 * @param requestsPerSecondPerClient of one remote address; one more in the same second is answered 429; 0 for any
 *     number
 * @param maxClients remote addresses whose requests are counted at a time; one that is seldom seen is forgotten for
 *     another
 */
public record AdmissionSettings(
        @DefaultValue("1000") @Min(1) @Max(1_000_000) int maxConcurrentRequests,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration deadline,

        @DefaultValue("0") @Min(0) @Max(1_000_000) int requestsPerSecondPerClient,
        @DefaultValue("10000") @Min(1) @Max(10_000_000) int maxClients) {}
