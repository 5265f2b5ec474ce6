package dev.registrar.http.admission;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of admission. They hold for the API, not for health and metrics.
 *
 * @param maxConcurrentRequests the most requests handled at a time, each with about 90 KB of heap; further requests are
 *     answered 503
 * @param deadline the time for one request from when its headers are read; all waiting and work for it ends then
 * @param requestsPerSecondPerClient the most requests of one remote address per second; further requests are answered
 *     429; 0 means no limit
 * @param maxClients the most remote addresses whose requests are counted; the least used address makes room for a new
 *     one
 */
public record AdmissionSettings(
        @DefaultValue("1000") @Min(1) @Max(1_000_000) int maxConcurrentRequests,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration deadline,

        @DefaultValue("0") @Min(0) @Max(1_000_000) int requestsPerSecondPerClient,
        @DefaultValue("10000") @Min(1) @Max(10_000_000) int maxClients) {}
