package dev.registrar.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * How the store's migrations reach the database: Spring Boot's settings for an application's own migrations hold for
 * them, too.
 *
 * @param connectRetries how often to connect again to a database that does not answer
 * @param connectRetriesInterval the longest pause between two attempts; in seconds without a unit
 */
@ConfigurationProperties("spring.flyway")
record MigrationSettings(
        @DefaultValue("0") int connectRetries,

        @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("120s")
        Duration connectRetriesInterval) {}
