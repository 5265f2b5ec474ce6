package dev.registrar.eventstore.postgres;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How what failed in passing is tried again, where that is safe.
 *
 * @param maxRetries after the first try; 0 for none
 * @param delay before the second try
 * @param multiplier by which the delay grows from try to try
 * @param jitter up to which the first delay is randomly longer; a later one is longer or shorter, in proportion to it,
 *     but never shorter than the first: with the defaults 50 to 75, 75 to 225 and 225 to 675 ms
 * @param maxDelay to which it grows
 */
public record RetrySettings(
        @DefaultValue("3") @Min(0) @Max(100) int maxRetries,

        @DefaultValue("50ms") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 1)
        Duration delay,

        @DefaultValue("3") @DecimalMin("1") @DecimalMax("10") double multiplier,

        @DefaultValue("25ms") @NotNull @DurationMin @DurationMax(minutes = 1)
        Duration jitter,

        @DefaultValue("1s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 10)
        Duration maxDelay) {}
