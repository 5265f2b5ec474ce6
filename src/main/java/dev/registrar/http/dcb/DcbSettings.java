package dev.registrar.http.dcb;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the event store's API.
 *
 * @param maxLongReadsPerClient the most answers to /dcb/read, of more than 4 KB, that are sent to one caller at a time,
 *     or to one remote address where the service does not know its callers; further reads are answered 429
 * @param minReadRate how much of such an answer a client has to take in a second, averaged over a minute of waiting for
 *     it; a slower client is disconnected; 0 for no minimum
 * @param lockTags whether a tag of an event that begins with lock: names a resource that the append locks, and is not
 *     stored; if not, it is a tag like any other
 */
@Validated
@ConfigurationProperties("registrar.dcb")
record DcbSettings(
        @DefaultValue("16") @Min(1) @Max(1_000_000) int maxLongReadsPerClient,
        @DefaultValue("8KB") @NotNull DataSize minReadRate,
        @DefaultValue("false") boolean lockTags) {
    private static final DataSize MAX_READ_RATE = DataSize.ofGigabytes(1);

    DcbSettings {
        if (minReadRate.isNegative() || minReadRate.compareTo(MAX_READ_RATE) > 0) {
            throw new IllegalArgumentException(
                    "registrar.dcb.min-read-rate is 0 B to 1 GB but was %s".formatted(minReadRate));
        }
    }
}
