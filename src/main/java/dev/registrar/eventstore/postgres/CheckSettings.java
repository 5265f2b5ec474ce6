package dev.registrar.eventstore.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of checking conditions that take a longer look than a group of appends can wait for.
 *
 * @param atOnce checks at a time, each on one of the connections for reads
 * @param maxWaiting requests that wait for their check; one more is refused as overload
 * @param maxWait how long a request waits for its check
 * @param timeout how long one check may run
 * @param maxChecks checks of one request: each later one looks only at what came since the one before
 */
public record CheckSettings(
        @DefaultValue("2") @Min(1) @Max(1_000) int atOnce,
        @DefaultValue("1000") @Min(1) @Max(1_000_000) int maxWaiting,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration maxWait,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration timeout,

        @DefaultValue("8") @Min(1) @Max(100) int maxChecks) {}
