package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CAPACITY_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_DEFINED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_PREREQUISITES_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;

import dev.registrar.decision.Fact;
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
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;

/** The state of a course on which decisions depend. */
public record CourseFacts(CourseId course) implements Fact<EnrollmentEvent, CourseFacts.State> {

    /**
     * A course after its events.
     *
     * @param seats its capacity; 0 before it is defined
     * @param enrolled students enrolled now
     * @param waiting students on the waiting list now
     */
    public record State(
            boolean defined,
            int seats,
            int enrolled,
            int waiting,
            boolean closed,
            EnrollmentWindow window,
            Prerequisites prerequisites) {
        public boolean full() {
            return enrolled >= seats;
        }

        private State withSeats(int newSeats) {
            return new State(defined, newSeats, enrolled, waiting, closed, window, prerequisites);
        }

        private State withEnrolled(int newEnrolled) {
            return new State(defined, seats, newEnrolled, waiting, closed, window, prerequisites);
        }

        private State withWaiting(int newWaiting) {
            return new State(defined, seats, enrolled, newWaiting, closed, window, prerequisites);
        }

        private State withClosed() {
            return new State(defined, seats, enrolled, waiting, true, window, prerequisites);
        }

        private State withPrerequisites(Prerequisites newPrerequisites) {
            return new State(defined, seats, enrolled, waiting, closed, window, newPrerequisites);
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
                        COURSE_PREREQUISITES_CHANGED,
                        COURSE_CLOSED,
                        STUDENT_ENROLLED_IN_COURSE,
                        STUDENT_DROPPED_COURSE,
                        STUDENT_JOINED_WAITING_LIST,
                        STUDENT_LEFT_WAITING_LIST)
                .tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, 0, 0, 0, false, EnrollmentWindow.ALWAYS, Prerequisites.NONE);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch (event) {
            case CourseDefined defined ->
                new State(
                        true,
                        defined.capacity().seats(),
                        state.enrolled,
                        state.waiting,
                        state.closed,
                        defined.window(),
                        defined.prerequisites());
            case CourseCapacityChanged changed ->
                state.withSeats(changed.capacity().seats());
            // As in the views, prerequisites before the definition belong to no course.
            case CoursePrerequisitesChanged changed ->
                state.defined ? state.withPrerequisites(changed.prerequisites()) : state;
            case CourseClosed closed -> state.withClosed();
            case StudentEnrolledInCourse enrolled -> state.withEnrolled(state.enrolled + 1);
            case StudentDroppedCourse dropped -> state.withEnrolled(state.enrolled - 1);
            case StudentJoinedWaitingList joined -> state.withWaiting(state.waiting + 1);
            case StudentLeftWaitingList left -> state.withWaiting(state.waiting - 1);
            case StudentRegistered unrelated -> state;
            case StudentTierChanged unrelated -> state;
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.prerequisites.courses().size() / 8;
    }
}
