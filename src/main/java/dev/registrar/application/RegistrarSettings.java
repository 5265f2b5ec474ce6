package dev.registrar.application;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the domain and of its decisions.
 *
 * @param coursesPerStudent the most courses at a time for a student without a tier
 * @param decisionDeadline how long a command may take with its waits and repeated decisions; then it is answered 503
 * @param decisionAttempts the most conflicts of a command on facts that it has read; then it is answered 503
 * @param cachedStates memory for states of courses and students, in KB: 1 for each; for the enrolled and for the
 *     waiting students of a course, 1 for each 60 or so, rounded up; 1 for each 8 prerequisites of a course or courses
 *     of a student; 1 for each 4 places in the order of a waiting list or waiting lists of a student; 0 disables the
 *     cache
 * @param tagSecret the secret under which the tags of e-mail addresses are made, the same for all instances and for
 *     ever, at least 32 characters; with the embedded PostgreSQL, the default is drawn once and kept in its data folder
 */
@Validated
@ConfigurationProperties("registrar.enrollment")
record RegistrarSettings(
        @DefaultValue("10") @Min(1) @Max(1_000) int coursesPerStudent,

        @DefaultValue("5s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 10)
        Duration decisionDeadline,

        @DefaultValue("1000") @Min(1) @Max(1_000_000) int decisionAttempts,
        @DefaultValue("50000") @Min(0) @Max(100_000_000) long cachedStates,
        @Nullable String tagSecret) {

    /** Without the secret. */
    @Override
    public String toString() {
        return "RegistrarSettings[coursesPerStudent=%s, decisionDeadline=%s, decisionAttempts=%s, cachedStates=%s]"
                .formatted(coursesPerStudent, decisionDeadline, decisionAttempts, cachedStates);
    }
}
