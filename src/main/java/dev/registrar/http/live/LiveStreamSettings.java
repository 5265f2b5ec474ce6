package dev.registrar.http.live;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the connections on which live events are sent.
 *
 * @param heartbeat how long a connection is silent before a sign of life is sent
 * @param maxStall how long a client may take nothing of what is sent before it is cut off
 */
@Validated
@ConfigurationProperties("registrar.live")
record LiveStreamSettings(
        @DefaultValue("15s") @NotNull @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration heartbeat,

        @DefaultValue("5s") @NotNull @DurationMin(millis = 10) @DurationMax(hours = 1)
        Duration maxStall) {}
