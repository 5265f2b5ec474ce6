package dev.registrar.http.live;

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
 * The settings of live streams.
 *
 * @param heartbeat how long a stream is silent before a comment or an empty line is sent
 * @param maxStreamsPerClient the most streams of one caller at a time, or of one remote address where the service does
 *     not know its callers; further streams are answered 429
 */
@Validated
@ConfigurationProperties("registrar.live")
record LiveStreamSettings(
        @DefaultValue("15s") @NotNull @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration heartbeat,

        @DefaultValue("250") @Min(1) @Max(1_000_000) int maxStreamsPerClient) {}
