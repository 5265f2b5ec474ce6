package dev.registrar.imports;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.Locale;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of imports.
 *
 * @param maxCourses the most courses in one file
 * @param maxFileSize the largest file; a larger one is answered 413
 * @param maxWaiting the most imports that wait; further imports are answered 503
 * @param concurrency the decisions that the running import makes at a time; more finish sooner but delay other requests
 * @param patience how long an import retries while the database fails
 * @param maxErrors the most errors reported for one file; further errors are only counted
 * @param kept the most reports kept of imports that have ended; the oldest are removed first
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
    private static final DataSize MAX_FILE_SIZE = DataSize.ofMegabytes(64);

    public ImportSettings {
        if (maxFileSize.toBytes() < 1 || maxFileSize.compareTo(MAX_FILE_SIZE) > 0) {
            throw new IllegalArgumentException(
                    "registrar.imports.max-file-size is 1 B to 64 MB but was %s".formatted(maxFileSize));
        }
    }

    /** The largest file as a page shows it: {@code 4 MB}, or {@code 1,000 bytes}. */
    public String shownMaxFileSize() {
        boolean isWhole = maxFileSize.toBytes() % DataSize.ofMegabytes(1).toBytes() == 0;
        return isWhole
                ? maxFileSize.toMegabytes() + " MB"
                : String.format(Locale.ENGLISH, "%,d bytes", maxFileSize.toBytes());
    }
}
