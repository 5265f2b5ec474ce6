package dev.registrar.subscription;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of those who listen to events as they are appended.
 *
 * @param maxListeners how many may listen at a time; one more is refused as overload
 * @param maxWaiting events that may wait for a listener; one more cuts it off
 * @param heartbeat how long a connection is silent before a sign of life is sent
 * @param maxStall how long a client may take nothing of what is sent before it is cut off
 */
@Validated
@ConfigurationProperties("registrar.live")
public record LiveSettings(
        @DefaultValue("2500") @Min(1) @Max(1_000_000) int maxListeners,
        @DefaultValue("1000") @Min(1) @Max(100_000) int maxWaiting,

        @DefaultValue("15s") @NotNull @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration heartbeat,

        @DefaultValue("5s") @NotNull @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration maxStall) {}
