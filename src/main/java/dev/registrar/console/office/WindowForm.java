package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.enrollment.EnrollmentWindow;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/**
 * The form of an enrollment window. Each end may be empty.
 *
 * @param opensAt in the zone
 * @param closesAt in the zone
 * @param zone of both times; null for UTC
 */
record WindowForm(
        @Nullable LocalDateTime opensAt,
        @Nullable LocalDateTime closesAt,
        @Nullable ZoneId zone) {

    /** The present window of a course, in UTC. */
    static WindowForm of(CourseView course) {
        return new WindowForm(utc(course.opensAt()), utc(course.closesAt()), ZoneId.of("UTC"));
    }

    private static @Nullable LocalDateTime utc(@Nullable Instant end) {
        return end == null ? null : LocalDateTime.ofInstant(end, ZoneOffset.UTC);
    }

    /** The type of the fields for both ends: a browser's field for times has milliseconds, and would drop the rest. */
    String inputType() {
        return hasMicroseconds(opensAt) || hasMicroseconds(closesAt) ? "text" : "datetime-local";
    }

    private static boolean hasMicroseconds(@Nullable LocalDateTime end) {
        return end != null && !end.equals(end.truncatedTo(ChronoUnit.MILLIS));
    }

    /** The window; empty if the form has an error. Errors of the times are added to it. */
    Optional<EnrollmentWindow> window(BindingResult form) {
        Instant opens = instant("opensAt", opensAt, form);
        Instant closes = instant("closesAt", closesAt, form);
        if (opens != null && closes != null && !opens.isBefore(closes)) {
            form.rejectValue("closesAt", "early");
        }
        return form.hasErrors() ? Optional.empty() : Optional.of(new EnrollmentWindow(opens, closes));
    }

    /* A time that two offsets have is the earlier instant. A time that a change of the clocks leaves out has an error. */
    private @Nullable Instant instant(String field, @Nullable LocalDateTime time, BindingResult form) {
        if (time == null) {
            return null;
        }
        ZoneId stated = zone == null ? ZoneOffset.UTC : zone;
        if (stated.getRules().getValidOffsets(time).isEmpty()) {
            form.rejectValue(field, "skipped");
            return null;
        }
        try {
            return EnrollmentWindow.end(time.atZone(stated).toInstant());
        } catch (IllegalArgumentException | DateTimeException outside) {
            form.rejectValue(field, "typeMismatch");
            return null;
        }
    }
}
