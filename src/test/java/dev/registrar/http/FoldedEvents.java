package dev.registrar.http;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentView;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What look-ups must show, folded event by event, independently of the views' SQL. */
final class FoldedEvents {
    private final Map<String, CourseView> courses = new HashMap<>();
    private final Map<String, StudentView> students = new HashMap<>();
    private final Map<List<String>, Instant> enrollments = new HashMap<>();

    private FoldedEvents() {}

    static FoldedEvents after(Position position, EventStore store, EnrollmentEventCodec codec) {
        FoldedEvents folded = new FoldedEvents();
        try (EventStream events = store.read(Query.all(), ReadOptions.forwards().after(position))) {
            events.forEachRemaining(
                    stored -> codec.readable(stored.event()).ifPresent(readable -> folded.apply(readable, stored)));
        }
        return folded;
    }

    /* What precedes the definition of a course, or the registration of a student, is not shown. */
    private void apply(EnrollmentEvent event, SequencedEvent stored) {
        switch (event) {
            case CourseDefined defined -> {
                CourseView before = courses.getOrDefault(defined.course().value(), CourseView.of(defined));
                courses.put(before.id(), with(CourseView.of(defined), before));
            }
            case CourseCapacityChanged changed ->
                courses.computeIfPresent(
                        changed.course().value(),
                        (id, now) -> with(now, changed.capacity().seats(), now.prerequisites()));
            case CoursePrerequisitesChanged changed ->
                courses.computeIfPresent(
                        changed.course().value(),
                        (id, now) -> with(
                                now, now.capacity(), changed.prerequisites().ids()));
            case CourseClosed closed -> count(closed.course().value(), 0, 0, true);
            case StudentEnrolledInCourse in -> {
                enrollments.put(List.of(in.course().value(), in.student().value()), stored.recordedAt());
                count(in.course().value(), 1, 0, false);
            }
            case StudentDroppedCourse out -> {
                enrollments.remove(List.of(out.course().value(), out.student().value()));
                count(out.course().value(), -1, 0, false);
            }
            case StudentJoinedWaitingList joined -> count(joined.course().value(), 0, 1, false);
            case StudentLeftWaitingList left -> count(left.course().value(), 0, -1, false);
            case StudentRegistered registered -> {
                StudentView now = StudentView.of(registered);
                students.merge(
                        now.id(),
                        now,
                        (before, again) -> new StudentView(again.id(), again.name(), again.email(), before.tier()));
            }
            case StudentTierChanged changed ->
                students.computeIfPresent(
                        changed.student().value(),
                        (id, now) -> new StudentView(
                                id, now.name(), now.email(), changed.tier().code()));
        }
    }

    private static CourseView with(CourseView again, CourseView before) {
        return new CourseView(
                again.id(),
                again.title(),
                again.capacity(),
                before.enrolled(),
                before.waiting(),
                before.closed(),
                again.opensAt(),
                again.closesAt(),
                again.prerequisites());
    }

    private static CourseView with(CourseView now, int capacity, List<String> prerequisites) {
        return new CourseView(
                now.id(),
                now.title(),
                capacity,
                now.enrolled(),
                now.waiting(),
                now.closed(),
                now.opensAt(),
                now.closesAt(),
                prerequisites);
    }

    private void count(String course, int enrolled, int waiting, boolean closes) {
        courses.computeIfPresent(
                course,
                (id, now) -> new CourseView(
                        id,
                        now.title(),
                        now.capacity(),
                        now.enrolled() + enrolled,
                        now.waiting() + waiting,
                        now.closed() || closes,
                        now.opensAt(),
                        now.closesAt(),
                        now.prerequisites()));
    }

    /** The answer to a look-up of a course, a student or an enrollment; an empty node if there is none. */
    JsonNode at(String path, JsonMapper json) {
        String[] parts = path.substring("/api/".length()).split("/", -1);
        Object shown = parts.length == 4
                ? enrollment(parts[1], parts[3])
                : parts[0].equals("courses") ? course(parts[1]) : student(parts[1]);
        return json.valueToTree(shown);
    }

    private Object course(String id) {
        return courses.containsKey(id) ? CourseController.Course.of(courses.get(id)) : Map.of();
    }

    private Object student(String id) {
        return students.containsKey(id) ? StudentController.Student.of(students.get(id)) : Map.of();
    }

    private Object enrollment(String course, String student) {
        Instant since = enrollments.get(List.of(course, student));
        return since == null ? Map.of() : new RostersView.Enrollment(course, student, since);
    }
}
