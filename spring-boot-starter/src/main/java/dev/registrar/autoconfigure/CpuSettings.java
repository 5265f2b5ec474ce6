package dev.registrar.autoconfigure;

import dev.registrar.concurrent.CpuOptions;
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
 * The settings of the executor of CPU-bound work.
 *
 * @param workers threads for CPU-bound work; 0 for one for each processor
 * @param maxWaiting tasks that may wait for a thread; further tasks are rejected as overload
 * @param drain how long accepted tasks may go on when the application stops
 */
@Validated
@ConfigurationProperties("registrar.cpu")
public record CpuSettings(
        @DefaultValue("0") @Min(0) @Max(1_000) int workers,
        @DefaultValue("1000") @Min(1) @Max(1_000_000) int maxWaiting,

        @DefaultValue("10s") @NotNull @DurationMin(nanos = 0) @DurationMax(minutes = 10)
        Duration drain) {

    /** The options that these settings bind. */
    public CpuOptions options() {
        CpuOptions defaults = CpuOptions.defaults();
        return new CpuOptions(defaults.name(), workers == 0 ? defaults.workers() : workers, maxWaiting, drain);
    }
}
