package dev.registrar.console.office;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.eventstore.TimeOrderedId;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form that defines a course, as it was typed.
 *
 * @param prerequisites ids with spaces or commas between them
 * @param opensAt a date and a time of the day in the zone
 * @param closesAt a date and a time of the day in the zone
 * @param zone the zone of both times
 * @param newId the id of the course if the person types none: the same form, sent twice, defines one course
 */
record CourseForm(
        String id,
        String title,
        String capacity,
        String prerequisites,
        String opensAt,
        String closesAt,
        String zone,
        String newId) {

    static final String ID = "Id of the course";
    static final String PREREQUISITES = "Required courses";
    static final String CAPACITY_HINT = "A whole number of seats, 1 to %,d.".formatted(Capacity.MAX);
    static final String PREREQUISITES_HINT =
            "The ids of up to %d courses, with spaces between them; empty for none.".formatted(Prerequisites.MAX);
    static final String TIME_HINT = "A date and a time, such as 2027-02-01 08:00; empty for no bound.";
    static final String ZONE_HINT = "UTC, an offset such as +02:00, or a name such as Europe/Berlin.";

    static CourseForm empty() {
        return new CourseForm(
                "", "", "", "", "", "", "UTC", TimeOrderedId.next().toString());
    }

    /** This form for a further course. */
    CourseForm withNewId() {
        return new CourseForm(
                id,
                title,
                capacity,
                prerequisites,
                opensAt,
                closesAt,
                zone,
                TimeOrderedId.next().toString());
    }

    static CourseForm of(HttpServletRequest request) {
        return new CourseForm(
                Typed.text(request, "id"),
                Typed.text(request, "title"),
                Typed.text(request, "capacity"),
                Typed.text(request, "prerequisites"),
                Typed.text(request, "opensAt"),
                Typed.text(request, "closesAt"),
                Typed.text(request, "zone"),
                Typed.text(request, "newId"));
    }

    /** The command; empty if a field has a fault. */
    Optional<DefineCourse> command(Faults faults) {
        Optional<CourseTitle> ofCourse =
                faults.value("title", "Title", "Type a title: " + Typed.LINE_HINT, () -> new CourseTitle(title));
        Optional<Capacity> seats = capacity(capacity, faults);
        Optional<CourseId> course = id.isEmpty()
                ? Optional.of(new CourseId(
                        newId.matches(CourseId.PATTERN)
                                ? newId
                                : TimeOrderedId.next().toString()))
                : faults.value("id", ID, Typed.noId(id, "a course"), () -> new CourseId(id));
        Optional<Prerequisites> required = prerequisites(prerequisites, faults);
        Optional<EnrollmentWindow> window = window(faults);
        return course.isPresent()
                        && ofCourse.isPresent()
                        && seats.isPresent()
                        && required.isPresent()
                        && window.isPresent()
                ? Optional.of(new DefineCourse(course.get(), ofCourse.get(), seats.get(), window.get(), required.get()))
                : Optional.empty();
    }

    static Optional<Capacity> capacity(String text, Faults faults) {
        return faults.value(
                "capacity",
                "Seats",
                "Type a whole number of seats, 1 to %,d.".formatted(Capacity.MAX),
                () -> new Capacity(Typed.number(text)));
    }

    static Optional<Prerequisites> prerequisites(String text, Faults faults) {
        List<String> ids = Typed.ids(text);
        Optional<String> wrong =
                ids.stream().filter(id -> OfficePages.course(id).isEmpty()).findFirst();
        if (wrong.isPresent()) {
            faults.add("prerequisites", PREREQUISITES, Typed.noId(wrong.get(), "a course"), Link.COURSES);
            return Optional.empty();
        }
        return faults.value(
                "prerequisites",
                PREREQUISITES,
                "A course requires at most %d others, and here are %d.".formatted(Prerequisites.MAX, ids.size()),
                () -> Prerequisites.of(ids));
    }

    private Optional<EnrollmentWindow> window(Faults faults) {
        Optional<ZoneId> known = zone(faults);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        @Nullable Instant opens = instant("opensAt", "Enrollment opens", opensAt, known.get(), faults);
        @Nullable Instant closes = instant("closesAt", "Enrollment closes", closesAt, known.get(), faults);
        return faults.of("opensAt") == null && faults.of("closesAt") == null
                ? faults.value(
                        "closesAt",
                        "Enrollment closes",
                        "Enrollment must close after it opens. Choose a later time, or leave it empty.",
                        () -> new EnrollmentWindow(opens, closes))
                : Optional.empty();
    }

    private Optional<ZoneId> zone(Faults faults) {
        try {
            return Optional.of(zone.isEmpty() ? ZoneId.of("UTC") : ZoneId.of(zone));
        } catch (DateTimeException unknown) {
            faults.add("zone", "Time zone of both times", "This is not a time zone. Type " + ZONE_HINT);
            return Optional.empty();
        }
    }

    /* A time that two offsets have is the earlier instant. A time that a change of the clocks leaves out has a fault. */
    private static @Nullable Instant instant(String field, String label, String text, ZoneId zone, Faults faults) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            LocalDateTime time = LocalDateTime.parse(text.replace(' ', 'T'));
            if (zone.getRules().getValidOffsets(time).isEmpty()) {
                faults.add(field, label, "The clocks of this time zone leave this time out. Choose another one.");
                return null;
            }
            return EnrollmentWindow.end(time.atZone(zone).toInstant());
        } catch (DateTimeException | IllegalArgumentException refused) {
            faults.add(field, label, "This is not a time. Type " + TIME_HINT);
            return null;
        }
    }
}
