package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is enrolled where, in the order of enrollment: the students of a course, or the courses of a student. */
public record EnrollmentsView(List<Enrollment> enrollments) {

    /** One student in one course. */
    public record Enrollment(String courseId, String studentId, Instant enrolledAt) {}

    /** The students of a course; nothing if it was never defined. */
    public static Optional<Current<EnrollmentsView>> ofCourse(
            EventStore store, EnrollmentEventCodec codec, CourseId course) {
        return fold(
                store,
                codec,
                of(EnrollmentEventCodec.COURSE_DEFINED, course.tag().value()));
    }

    /** The courses of a student; nothing if none was registered under the id. */
    public static Optional<Current<EnrollmentsView>> ofStudent(
            EventStore store, EnrollmentEventCodec codec, StudentId student) {
        return fold(
                store,
                codec,
                of(EnrollmentEventCodec.STUDENT_REGISTERED, student.tag().value()));
    }

    /** A student's present enrollment in a course; nothing if there is none. */
    public static Optional<Current<Enrollment>> find(
            EventStore store, EnrollmentEventCodec codec, CourseId course, StudentId student) {
        Query pair = Query.of(QueryItem.types(
                        EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE, EnrollmentEventCodec.STUDENT_DROPPED_COURSE)
                .tagged(course.tag().value(), student.tag().value()));
        return Last.of(store, codec, pair)
                .flatMap(last -> last.event() instanceof StudentEnrolledInCourse in
                        ? Optional.of(new Current<>(
                                enrollment(in, last.stored()), last.stored().position()))
                        : Optional.empty());
    }

    private static Query of(String begin, String tag) {
        return Query.of(QueryItem.types(
                        begin,
                        EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE,
                        EnrollmentEventCodec.STUDENT_DROPPED_COURSE)
                .tagged(tag));
    }

    private static Optional<Current<EnrollmentsView>> fold(EventStore store, EnrollmentEventCodec codec, Query query) {
        Map<List<String>, Enrollment> enrollments = new LinkedHashMap<>();
        boolean exists = false;
        Position asOf = Position.START;
        try (EventStream events = store.read(query)) {
            while (events.hasNext()) {
                SequencedEvent event = events.next();
                asOf = event.position();
                switch (codec.readable(event.event()).orElse(null)) {
                    case null -> {}
                    case CourseDefined defined -> exists = true;
                    case StudentRegistered registered -> exists = true;
                    case StudentEnrolledInCourse in ->
                        enrollments.put(
                                List.of(in.course().value(), in.student().value()), enrollment(in, event));
                    case StudentDroppedCourse out ->
                        enrollments.remove(
                                List.of(out.course().value(), out.student().value()));
                    default ->
                        throw new IllegalStateException(
                                "The query asks for no " + event.event().type());
                }
            }
        }
        return exists
                ? Optional.of(new Current<>(new EnrollmentsView(List.copyOf(enrollments.values())), asOf))
                : Optional.empty();
    }

    private static Enrollment enrollment(StudentEnrolledInCourse in, SequencedEvent event) {
        return new Enrollment(in.course().value(), in.student().value(), event.recordedAt());
    }
}
