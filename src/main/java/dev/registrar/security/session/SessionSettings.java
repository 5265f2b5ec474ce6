package dev.registrar.security.session;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the sessions of browsers. An idle session ends after server.servlet.session.timeout.
 *
 * @param max the most sessions at a time, each with about 2 KB of heap; a browser that would begin another one is
 *     answered 503
 */
@Validated
@ConfigurationProperties("registrar.security.sessions")
public record SessionSettings(
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int max) {}
