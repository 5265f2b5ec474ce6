package dev.registrar.autoconfigure;

import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
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
 * The settings of views and automations.
 *
 * @param enabled whether this instance runs them; if not, others do
 * @param notifications whether instances notify each other of appends; if not, they find events by polling
 * @param batch most events in a transaction
 * @param pause the shortest pause between two reads of the store; a follower pauses longer, up to 50 ms, after a
 *     transaction that took long, so that events that come close together share one
 * @param longestPoll the longest time between two reads without a wake-up
 * @param rebuildAtStart which views this instance begins to rebuild by itself: none, those whose tables an older
 *     version has built, or all
 * @param maxRebuilds views that this instance rebuilds at a time
 * @param attempts how often an event is tried before it counts as one that cannot be handled
 * @param retryAfter how long after the first failure it is tried again; twice as long after each further one, up to a
 *     minute
 * @param onFailure what becomes of an event that cannot be handled
 * @param longestWait how long a look-up may wait for a view to reach a position
 */
@Validated
@ConfigurationProperties("registrar.projections")
record ProjectionSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean notifications,
        @DefaultValue("10000") @Min(1) @Max(100_000) int batch,

        @DefaultValue("2ms") @NotNull @DurationMin(nanos = 0) @DurationMax(seconds = 10)
        Duration pause,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 10) @DurationMax(minutes = 10)
        Duration longestPoll,

        @DefaultValue("outdated") @NotNull RebuildAtStart rebuildAtStart,
        @DefaultValue("2") @Min(1) @Max(100) int maxRebuilds,
        @DefaultValue("5") @Min(1) @Max(1_000) int attempts,

        @DefaultValue("100ms") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 1)
        Duration retryAfter,

        @DefaultValue("stop") @NotNull OnFailure onFailure,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 1)
        Duration longestWait) {

    /** The options that these settings bind. */
    ProjectionOptions options() {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait);
    }
}
