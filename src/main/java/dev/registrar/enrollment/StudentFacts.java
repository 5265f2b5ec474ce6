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

/** The state of a student that decisions rest on. */
public record StudentFacts(StudentId student) implements Fact<EnrollmentEvent, StudentFacts.State> {

    /**
     * A student after the events.
     *
     * @param courses the courses that the student is enrolled in now
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
            case StudentEnrolledInCourse enrolled -> {
                Set<CourseId> more = new HashSet<>(state.courses);
                more.add(enrolled.course());
                yield new State(state.registered, more);
            }
            case StudentDroppedCourse dropped -> {
                Set<CourseId> fewer = new HashSet<>(state.courses);
                fewer.remove(dropped.course());
                yield new State(state.registered, fewer);
            }
            case CourseDefined unrelated -> state;
            case CourseCapacityChanged unrelated -> state;
            case CourseClosed unrelated -> state;
            case StudentJoinedWaitingList unrelated -> state;
            case StudentLeftWaitingList unrelated -> state;
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.courses.size() / 8;
    }
}
