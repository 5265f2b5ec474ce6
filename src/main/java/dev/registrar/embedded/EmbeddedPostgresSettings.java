package dev.registrar.embedded;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the embedded PostgreSQL.
 *
 * @param dataDirectory the data folder; its binaries, lock file and log lie beside it and are named after it
 * @param port the port on the loopback address; 0 for any free port
 * @param startupTimeout the longest start of the server, including crash recovery
 */
@Validated
@ConfigurationProperties("registrar.embedded")
record EmbeddedPostgresSettings(
        @DefaultValue("./data/postgres") Path dataDirectory,
        @DefaultValue("0") @Min(0) @Max(65535) int port,

        @DefaultValue("60s") @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration startupTimeout) {}
