package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.WeeklyTimes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A course with its seats.
 *
 * @param waiting students on the waiting list
 * @param opensAt when enrollment begins; null if it has no beginning
 * @param closesAt when enrollment ends; null if it has no end
 * @param prerequisites the ids of the courses that a student must be enrolled in first, sorted
 */
public record CourseView(
        String id,
        String title,
        int capacity,
        int enrolled,
        int waiting,
        boolean closed,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        List<String> prerequisites,
        WeeklyTimes times) {

    public CourseView {
        prerequisites = List.copyOf(prerequisites);
    }

    /** A course that has just been defined. */
    public static CourseView of(CourseDefined defined) {
        return new CourseView(
                defined.course().value(),
                Shown.text(defined.title().value()),
                defined.capacity().seats(),
                0,
                0,
                false,
                Shown.instant(defined.window().opensAt()),
                Shown.instant(defined.window().closesAt()),
                defined.prerequisites().ids(),
                defined.times());
    }

    public int available() {
        return Math.max(0, capacity - enrolled);
    }

    public boolean full() {
        return available() == 0;
    }
}
