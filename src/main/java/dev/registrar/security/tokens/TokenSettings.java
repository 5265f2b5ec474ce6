package dev.registrar.security.tokens;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the check of tokens.
 *
 * @param clockSkew how long after its expiry a token is accepted, and how long before its beginning, because the clocks
 *     of two machines differ
 * @param keyRefresh the age at which the issuer's keys are fetched again; a withdrawn key is accepted that long
 * @param keyRetention the age up to which keys are used while the issuer does not answer; afterwards requests with a
 *     token are answered 503
 * @param keyPause the time in which the keys are fetched at most twice, also if tokens name unknown keys; shorter than
 *     key-refresh
 * @param keyTimeout how long the issuer may take to accept a connection, and how long to send each part of an answer,
 *     for the keys of access tokens and for a login's code
 */
@Validated
@ConfigurationProperties("registrar.security.tokens")
public record TokenSettings(
        @DefaultValue("30s") @NotNull @DurationMin @DurationMax(minutes = 5)
        Duration clockSkew,

        @DefaultValue("5m") @NotNull @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration keyRefresh,

        @DefaultValue("1h") @NotNull @DurationMin(seconds = 1) @DurationMax(days = 1)
        Duration keyRetention,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 10) @DurationMax(minutes = 5)
        Duration keyPause,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 10) @DurationMax(seconds = 30)
        Duration keyTimeout) {}
