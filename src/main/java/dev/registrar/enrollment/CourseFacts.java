package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CAPACITY_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_DEFINED;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;

/** What decisions know of a course. */
public record CourseFacts(CourseId course) implements Fact<EnrollmentEvent, CourseFacts.State> {

    /**
     * A course as its events left it.
     *
     * @param seats its capacity; 0 before it is defined
     * @param enrolled students enrolled now
     */
    public record State(boolean defined, int seats, int enrolled, boolean closed, EnrollmentWindow window) {
        public boolean full() {
            return enrolled >= seats;
        }

        private State with(int newSeats, int newEnrolled, boolean newClosed) {
            return new State(defined, newSeats, newEnrolled, newClosed, window);
        }
    }

    public static CourseFacts of(CourseId course) {
        return new CourseFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(
                        COURSE_DEFINED,
                        COURSE_CAPACITY_CHANGED,
                        COURSE_CLOSED,
                        STUDENT_ENROLLED_IN_COURSE,
                        STUDENT_DROPPED_COURSE)
                .tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, 0, 0, false, EnrollmentWindow.ALWAYS);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch (event) {
            case CourseDefined defined ->
                new State(true, defined.capacity().seats(), state.enrolled, state.closed, defined.window());
            case CourseCapacityChanged changed -> state.with(changed.capacity().seats(), state.enrolled, state.closed);
            case CourseClosed closed -> state.with(state.seats, state.enrolled, true);
            case StudentEnrolledInCourse in -> state.with(state.seats, state.enrolled + 1, state.closed);
            case StudentDroppedCourse out -> state.with(state.seats, state.enrolled - 1, state.closed);
            case StudentRegistered elsewhere -> state;
        };
    }
}
