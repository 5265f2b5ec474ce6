package dev.registrar.http.admission;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of admission. They apply to the API, and not to health and metrics.
 *
 * @param maxConcurrentRequests the most requests handled at a time, each with about 90 KB of heap; further requests are
 *     answered 503
 * @param deadline the time for one request after its headers are read; all waiting and work for it ends then
 * @param requestsPerSecondPerAddress the most requests of one remote address per second, counted before the caller is
 *     authenticated; further requests are answered 429; 0 for no limit
 * @param requestsPerSecondPerClient the most requests of one caller per second, or of one remote address where the
 *     service does not know its callers; further requests are answered 429; 0 for no limit
 * @param maxClients the most callers, and the most remote addresses, whose requests are counted; the least used one
 *     makes room for a new one
 */
public record AdmissionSettings(
        @DefaultValue("1000") @Min(1) @Max(1_000_000) int maxConcurrentRequests,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration deadline,

        @DefaultValue("0") @Min(0) @Max(1_000_000) int requestsPerSecondPerAddress,
        @DefaultValue("0") @Min(0) @Max(1_000_000) int requestsPerSecondPerClient,
        @DefaultValue("10000") @Min(1) @Max(10_000_000) int maxClients) {}
