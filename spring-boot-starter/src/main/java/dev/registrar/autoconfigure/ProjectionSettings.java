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
 * @param enabled whether this instance runs views and automations; if not, other instances have to
 * @param notifications whether instances notify each other of appends; if not, they poll
 * @param batch the most events in one transaction of a view
 * @param pause the shortest pause between two reads of the store; after a long transaction the pause is longer, up to
 *     50 ms, so that events that come close together share one
 * @param longestPoll the longest time between two reads of the store without a notification
 * @param rebuildAtStart which views this instance begins to rebuild at its start: none, those whose tables an older
 *     version has built, or all
 * @param maxRebuilds views that this instance rebuilds at a time
 * @param attempts how often an event is tried before it counts as one that cannot be handled
 * @param retryAfter the pause after an event's first failure; it doubles after each further one, up to a minute
 * @param onFailure what happens at an event that cannot be handled: its view or automation stops, or skips the event
 * @param longestWait how long a look-up may wait for a view to reach a position; then it is answered 503
 * @param lease how long an automation that reacts to an event stays with its instance if that instance is lost; it is
 *     renewed while the reaction runs
 * @param skipUnreadableAfter the age of an event that cannot be read at which it is skipped; until then it is left to
 *     other instances, whose code may be newer
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
        Duration longestWait,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 100) @DurationMax(minutes = 10)
        Duration lease,

        @DefaultValue("10s") @NotNull @DurationMin(nanos = 0) @DurationMax(minutes = 10)
        Duration skipUnreadableAfter) {

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
                longestWait,
                lease,
                skipUnreadableAfter);
    }
}
