package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_REGISTERED;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.HashSet;
import java.util.Set;

/** What decisions know of a student. */
public record StudentFacts(StudentId student) implements Fact<EnrollmentEvent, StudentFacts.State> {

    /**
     * A student as the events left them.
     *
     * @param courses enrolled in now
     */
    public record State(boolean registered, Set<CourseId> courses) {
        public State {
            courses = Set.copyOf(courses);
        }

        public boolean isEnrolledIn(CourseId course) {
            return courses.contains(course);
        }
    }

    public static StudentFacts of(StudentId student) {
        return new StudentFacts(student);
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(STUDENT_REGISTERED, STUDENT_ENROLLED_IN_COURSE, STUDENT_DROPPED_COURSE)
                .tagged(student.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, Set.of());
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch (event) {
            case StudentRegistered registered -> new State(true, state.courses);
            case StudentEnrolledInCourse in -> {
                Set<CourseId> more = new HashSet<>(state.courses);
                more.add(in.course());
                yield new State(state.registered, more);
            }
            case StudentDroppedCourse out -> {
                Set<CourseId> fewer = new HashSet<>(state.courses);
                fewer.remove(out.course());
                yield new State(state.registered, fewer);
            }
            case CourseDefined elsewhere -> state;
            case CourseCapacityChanged elsewhere -> state;
            case CourseClosed elsewhere -> state;
            case StudentJoinedWaitingList waits -> state;
            case StudentLeftWaitingList waitsNoMore -> state;
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.courses.size() / 8;
    }
}
