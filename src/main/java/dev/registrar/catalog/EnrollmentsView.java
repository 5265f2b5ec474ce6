package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
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

/** Enrollments in the order in which they began: the students of a course, or the courses of a student. */
public record EnrollmentsView(List<Enrollment> enrollments) {

    /** One student in one course. */
    public record Enrollment(String courseId, String studentId, Instant enrolledAt) {}

    /** The students of a course; empty if the course was never defined. */
    public static Optional<Current<EnrollmentsView>> ofCourse(
            EventStore store, EnrollmentEventCodec codec, CourseId course) {
        return read(
                store,
                codec,
                of(EnrollmentEventCodec.COURSE_DEFINED, course.tag().value()));
    }

    /** The courses of a student; empty if no student was registered under the id. */
    public static Optional<Current<EnrollmentsView>> ofStudent(
            EventStore store, EnrollmentEventCodec codec, StudentId student) {
        return read(
                store,
                codec,
                of(EnrollmentEventCodec.STUDENT_REGISTERED, student.tag().value()));
    }

    /** A student's current enrollment in a course; empty if there is none. */
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

    private static Optional<Current<EnrollmentsView>> read(EventStore store, EnrollmentEventCodec codec, Query query) {
        Present present = new Present(codec);
        try (EventStream events = store.read(query)) {
            events.forEachRemaining(present::add);
        }
        return present.view();
    }

    /** The enrollments that remain after the events so far. For use by one thread. */
    private static final class Present {
        private final EnrollmentEventCodec codec;
        private final Map<List<String>, Enrollment> enrollments = new LinkedHashMap<>();
        private boolean exists;
        private Position asOf = Position.START;

        private Present(EnrollmentEventCodec codec) {
            this.codec = codec;
        }

        void add(SequencedEvent event) {
            asOf = event.position();
            codec.readable(event.event()).ifPresent(readable -> add(readable, event));
        }

        private void add(EnrollmentEvent readable, SequencedEvent event) {
            switch (readable) {
                case CourseDefined defined -> exists = true;
                case StudentRegistered registered -> exists = true;
                case StudentEnrolledInCourse in ->
                    enrollments.put(List.of(in.course().value(), in.student().value()), enrollment(in, event));
                case StudentDroppedCourse out ->
                    enrollments.remove(
                            List.of(out.course().value(), out.student().value()));
                case CourseCapacityChanged unexpected -> throw notQueried(event);
                case StudentTierChanged unexpected -> throw notQueried(event);
                case CoursePrerequisitesChanged unexpected -> throw notQueried(event);
                case CourseClosed unexpected -> throw notQueried(event);
                case StudentJoinedWaitingList unexpected -> throw notQueried(event);
                case StudentLeftWaitingList unexpected -> throw notQueried(event);
            }
        }

        private static IllegalStateException notQueried(SequencedEvent event) {
            return new IllegalStateException("The query does not match events of type '%s'"
                    .formatted(event.event().type()));
        }

        Optional<Current<EnrollmentsView>> view() {
            return exists
                    ? Optional.of(new Current<>(new EnrollmentsView(List.copyOf(enrollments.values())), asOf))
                    : Optional.empty();
        }
    }

    private static Enrollment enrollment(StudentEnrolledInCourse in, SequencedEvent event) {
        return new Enrollment(in.course().value(), in.student().value(), event.recordedAt());
    }
}
