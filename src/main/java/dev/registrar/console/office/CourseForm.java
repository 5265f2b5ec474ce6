package dev.registrar.console.office;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.eventstore.TimeOrderedId;
import jakarta.validation.constraints.NotNull;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/**
 * The form that defines a course.
 *
 * @param newId the id of the course if the person types none: the same form, sent twice, defines one course
 * @param opensAt in the zone
 * @param closesAt in the zone
 * @param zone of both times; null for UTC
 */
record CourseForm(
        @Nullable CourseId id,
        @Nullable CourseId newId,
        @NotNull CourseTitle title,
        @NotNull Capacity capacity,
        @Nullable Prerequisites prerequisites,
        @Nullable LocalDateTime opensAt,
        @Nullable LocalDateTime closesAt,
        @Nullable ZoneId zone) {

    /** The form before anything is typed. */
    @SuppressWarnings("NullAway")
    static final CourseForm EMPTY = new CourseForm(null, null, null, null, null, null, null, ZoneId.of("UTC"));

    /** The command; empty if a time has an error, which is added to the form. */
    Optional<DefineCourse> command(BindingResult form) {
        Instant opens = instant("opensAt", opensAt, form);
        Instant closes = instant("closesAt", closesAt, form);
        if (opens != null && closes != null && !opens.isBefore(closes)) {
            form.rejectValue("closesAt", "early");
        }
        return form.hasErrors()
                ? Optional.empty()
                : Optional.of(new DefineCourse(
                        course(),
                        title,
                        capacity,
                        new EnrollmentWindow(opens, closes),
                        prerequisites == null ? Prerequisites.NONE : prerequisites));
    }

    private CourseId course() {
        if (id != null) {
            return id;
        }
        return newId != null ? newId : new CourseId(TimeOrderedId.next().toString());
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
