package dev.registrar.application;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the warm-up before the service reports that it is ready.
 *
 * @param enabled whether the service warms up before it reports that it is ready
 * @param atMost the longest warm-up; it ends earlier when the JIT compiler has little left to do
 */
@Validated
@ConfigurationProperties("registrar.warm-up")
record WarmUpSettings(
        @DefaultValue("true") boolean enabled,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 5)
        Duration atMost) {}
