package dev.registrar.http.admission;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the HTTP interface.
 *
 * @param maxBodySize the largest request body; a larger one is answered 413
 * @param maxAppendSize the largest body of an append to the event store itself; a larger one is answered 413
 * @param admission the limits of admission
 * @param retryAfter the Retry-After header of a 429, 503 or 504, in whole seconds
 * @param drain how long a stopping service still answers, each time with Connection: close, while readiness is refused
 */
@Validated
@ConfigurationProperties("registrar.http")
public record HttpSettings(
        @DefaultValue("64KB") @NotNull DataSize maxBodySize,
        @DefaultValue("1MB") @NotNull DataSize maxAppendSize,

        @DefaultValue @NotNull @Valid AdmissionSettings admission,

        @DefaultValue("1s") @NotNull @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration retryAfter,

        @DefaultValue("0s") @NotNull @DurationMin @DurationMax(seconds = 30)
        Duration drain) {
    private static final DataSize MAX_BODY_SIZE = DataSize.ofMegabytes(16);
    private static final DataSize MAX_APPEND_SIZE = DataSize.ofMegabytes(64);

    public HttpSettings {
        if (maxAppendSize.toBytes() < 1 || maxAppendSize.compareTo(MAX_APPEND_SIZE) > 0) {
            throw new IllegalArgumentException(
                    "registrar.http.max-append-size is 1 B to 64 MB but was %s".formatted(maxAppendSize));
        }
        if (maxBodySize.toBytes() < 1 || maxBodySize.compareTo(MAX_BODY_SIZE) > 0) {
            throw new IllegalArgumentException(
                    "registrar.http.max-body-size is 1 B to 16 MB but was %s".formatted(maxBodySize));
        }
    }

    /**
     * The limits of admission. They apply to the API, and not to health and metrics.
     *
     * @param maxConcurrentRequests the most requests handled at a time, each with about 90 KB of heap; further requests
     *     are answered 503
     * @param deadline the time for one request after its headers are read; all waiting and work for it ends then
     * @param requestsPerSecondPerAddress the most requests of one remote address per second, counted before the caller
     *     is authenticated; further requests are answered 429; 0 for no limit
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
}
