package dev.registrar.imports;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of imports.
 *
 * @param maxCourses of one file
 * @param maxFileSize the largest file taken; 1 B to 64 MB
 * @param maxWaiting imports that wait for those before them; one more is refused as overload
 * @param concurrency decisions of the running import at a time: more are faster, and more in the way of others
 * @param patience how long an import waits for a database that fails before it gives up
 * @param maxErrors that are told of one file; more are counted
 * @param kept imports that are remembered after their end; the one begun first is forgotten first
 */
@Validated
@ConfigurationProperties("registrar.imports")
public record ImportSettings(
        @DefaultValue("10000") @Min(1) @Max(100_000) int maxCourses,
        @DefaultValue("4MB") @NotNull DataSize maxFileSize,
        @DefaultValue("4") @Min(0) @Max(100) int maxWaiting,
        @DefaultValue("2") @Min(1) @Max(64) int concurrency,

        @DefaultValue("1m") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration patience,

        @DefaultValue("100") @Min(1) @Max(10_000) int maxErrors,
        @DefaultValue("100") @Min(1) @Max(10_000) int kept) {

    public ImportSettings {
        if (maxFileSize.toBytes() < 1 || maxFileSize.toMegabytes() > 64) {
            throw new IllegalArgumentException(
                    "registrar.imports.max-file-size is 1 B to 64 MB but was %s".formatted(maxFileSize));
        }
    }
}
