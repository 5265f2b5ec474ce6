package dev.registrar.console.office;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.TimeOrderedId;
import jakarta.validation.constraints.NotNull;
import java.time.LocalDateTime;
import java.time.ZoneId;
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
        @Nullable ZoneId zone,
        @Nullable WeeklyTimes times) {

    /** The form before anything is typed. */
    @SuppressWarnings("NullAway")
    static final CourseForm EMPTY = new CourseForm(null, null, null, null, null, null, null, ZoneId.of("UTC"), null);

    /** The command; empty if a time has an error, which is added to the form. */
    Optional<DefineCourse> command(BindingResult form) {
        return new WindowForm(opensAt, closesAt, zone)
                .window(form)
                .map(window -> new DefineCourse(
                        course(),
                        title,
                        capacity,
                        window,
                        prerequisites == null ? Prerequisites.NONE : prerequisites,
                        times == null ? WeeklyTimes.NONE : times));
    }

    private CourseId course() {
        if (id != null) {
            return id;
        }
        return newId != null ? newId : new CourseId(TimeOrderedId.next().toString());
    }
}
