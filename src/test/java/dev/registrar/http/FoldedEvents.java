package dev.registrar.http;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentView;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What look-ups must show, folded event by event, independently of the views' SQL. */
final class FoldedEvents {
    private final Map<String, CourseView> courses = new HashMap<>();
    private final Map<String, StudentView> students = new HashMap<>();
    private final Map<List<String>, Instant> enrollments = new LinkedHashMap<>();
    private final Map<List<String>, String> overrides = new HashMap<>();
    private final Map<List<String>, Instant> waiting = new LinkedHashMap<>();

    private FoldedEvents() {}

    static FoldedEvents after(Position position, EventStore store, EnrollmentEventCodec codec) {
        FoldedEvents folded = new FoldedEvents();
        try (EventStream events = store.read(Query.all(), ReadOptions.forwards().after(position))) {
            events.forEachRemaining(
                    stored -> codec.readable(stored.event()).ifPresent(readable -> folded.apply(readable, stored)));
        }
        return folded;
    }

    /*
     * What precedes the definition of a course, or the registration of a student, is not shown, except for the students
     * of the course. An event that changes nothing keeps the time of a pair.
     */
    private void apply(EnrollmentEvent event, SequencedEvent stored) {
        switch (event) {
            case CourseDefined defined -> {
                CourseView again = CourseView.of(defined);
                courses.merge(again.id(), again, (before, now) -> with(now, before.closed()));
            }
            case CourseTitleChanged changed ->
                courses.computeIfPresent(
                        changed.course().value(),
                        (id, now) -> described(now, changed.title().value(), now.opensAt(), now.closesAt()));
            case EnrollmentWindowChanged changed -> {
                CourseView shown = CourseView.of(
                        new CourseDefined(changed.course(), new CourseTitle("any"), new Capacity(1), changed.window()));
                courses.computeIfPresent(
                        shown.id(), (id, now) -> described(now, now.title(), shown.opensAt(), shown.closesAt()));
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
            case CourseTimesChanged changed ->
                courses.computeIfPresent(changed.course().value(), (id, now) -> with(now, changed.times()));
            case CourseClosed closed -> courses.computeIfPresent(closed.course().value(), (id, now) -> with(now, true));
            case StudentEnrolledInCourse in ->
                enrollments.putIfAbsent(pair(in.course(), in.student()), stored.recordedAt());
            case StudentEnrolledByOverride in -> {
                List<String> pair = pair(in.course(), in.student());
                if (enrollments.putIfAbsent(pair, stored.recordedAt()) == null) {
                    overrides.put(pair, shown(in.reason().value()));
                }
            }
            case StudentDroppedCourse out -> {
                enrollments.remove(pair(out.course(), out.student()));
                overrides.remove(pair(out.course(), out.student()));
            }
            case StudentJoinedWaitingList joined ->
                waiting.putIfAbsent(pair(joined.course(), joined.student()), stored.recordedAt());
            case StudentLeftWaitingList left -> waiting.remove(pair(left.course(), left.student()));
            case StudentRegistered registered -> {
                StudentView now = StudentView.of(registered);
                students.merge(
                        now.id(),
                        now,
                        (before, again) -> new StudentView(again.id(), again.name(), again.email(), before.tier()));
            }
            case StudentNameChanged changed ->
                students.computeIfPresent(
                        changed.student().value(),
                        (id, now) -> new StudentView(id, shown(changed.name().value()), now.email(), now.tier()));
            case StudentEmailChanged changed ->
                students.computeIfPresent(
                        changed.student().value(),
                        (id, now) -> new StudentView(
                                id, now.name(), shown(changed.email().value()), now.tier()));
            case StudentErased erased -> {
                String gone = erased.student().value();
                students.computeIfPresent(
                        gone,
                        (id, now) -> new StudentView(
                                id, StudentName.ERASED.value(), EmailAddress.ERASED.value(), now.tier()));
                overrides.replaceAll(
                        (pair, reason) -> pair.getLast().equals(gone) ? OverrideReason.ERASED.value() : reason);
            }
            case StudentTierChanged changed ->
                students.computeIfPresent(
                        changed.student().value(),
                        (id, now) -> new StudentView(
                                id, now.name(), now.email(), changed.tier().code()));
        }
    }

    private static List<String> pair(CourseId course, StudentId student) {
        return List.of(course.value(), student.value());
    }

    private static String shown(String stored) {
        return stored.replace('\0', '\uFFFD');
    }

    private static CourseView described(
            CourseView now, String title, @Nullable Instant opensAt, @Nullable Instant closesAt) {
        return new CourseView(
                now.id(),
                shown(title),
                now.capacity(),
                now.enrolled(),
                now.waiting(),
                now.closed(),
                opensAt,
                closesAt,
                now.prerequisites(),
                now.times());
    }

    private static CourseView with(CourseView now, boolean closed) {
        return new CourseView(
                now.id(),
                now.title(),
                now.capacity(),
                now.enrolled(),
                now.waiting(),
                closed,
                now.opensAt(),
                now.closesAt(),
                now.prerequisites(),
                now.times());
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
                prerequisites,
                now.times());
    }

    private static CourseView with(CourseView now, WeeklyTimes times) {
        return new CourseView(
                now.id(),
                now.title(),
                now.capacity(),
                now.enrolled(),
                now.waiting(),
                now.closed(),
                now.opensAt(),
                now.closesAt(),
                now.prerequisites(),
                times);
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
        CourseView now = courses.get(id);
        return now == null
                ? Map.of()
                : CourseController.Course.of(new CourseView(
                        id,
                        now.title(),
                        now.capacity(),
                        studentsOf(enrollments, id).size(),
                        studentsOf(waiting, id).size(),
                        now.closed(),
                        now.opensAt(),
                        now.closesAt(),
                        now.prerequisites(),
                        now.times()));
    }

    /** The students of a course in the order of their enrollment. */
    List<String> roster(String course) {
        return studentsOf(enrollments, course);
    }

    /** The reasons of the overrides on the roster of a course, in its order; empty for ordinary enrollments. */
    List<String> reasons(String course) {
        return roster(course).stream()
                .map(student -> overrides.getOrDefault(List.of(course, student), ""))
                .toList();
    }

    /** The students on the waiting list of a course, in the order of the list. */
    List<String> line(String course) {
        return studentsOf(waiting, course);
    }

    private static List<String> studentsOf(Map<List<String>, Instant> pairs, String course) {
        return pairs.keySet().stream()
                .filter(pair -> pair.get(0).equals(course))
                .map(pair -> pair.get(1))
                .toList();
    }

    private Object student(String id) {
        return students.containsKey(id) ? StudentController.Student.of(students.get(id)) : Map.of();
    }

    private Object enrollment(String course, String student) {
        Instant since = enrollments.get(List.of(course, student));
        return since == null ? Map.of() : new RostersView.Enrollment(course, student, since);
    }
}
