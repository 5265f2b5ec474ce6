package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.decision.StoredForm;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.SeatEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.eventstore.Query;
import java.util.Optional;

/**
 * The state of a course on which decisions depend. It has the students themselves and not only their number, because
 * other clients of the store may append an event that changes nothing: the enrollment of an enrolled student, or the
 * drop of another one. Such an event must not count.
 */
public record CourseFacts(CourseId course) implements Fact<EnrollmentEvent, CourseFacts.State> {

    /**
     * A course after its events.
     *
     * @param seats its capacity; 0 before it is defined
     * @param students the ids of the students enrolled now
     * @param line the ids of the students on the waiting list now
     */
    public record State(
            boolean defined,
            int seats,
            IdSet students,
            IdSet line,
            boolean closed,
            EnrollmentWindow window,
            Prerequisites prerequisites,
            WeeklyTimes times) {
        public int enrolled() {
            return students.size();
        }

        public int waiting() {
            return line.size();
        }

        public boolean full() {
            return enrolled() >= seats;
        }

        private State withSeats(int newSeats) {
            return new State(defined, newSeats, students, line, closed, window, prerequisites, times);
        }

        private State withStudents(IdSet newStudents) {
            return new State(defined, seats, newStudents, line, closed, window, prerequisites, times);
        }

        private State withLine(IdSet newLine) {
            return new State(defined, seats, students, newLine, closed, window, prerequisites, times);
        }

        private State withClosed() {
            return new State(defined, seats, students, line, true, window, prerequisites, times);
        }

        private State withWindow(EnrollmentWindow newWindow) {
            return new State(defined, seats, students, line, closed, newWindow, prerequisites, times);
        }

        private State withPrerequisites(Prerequisites newPrerequisites) {
            return new State(defined, seats, students, line, closed, window, newPrerequisites, times);
        }

        private State withTimes(WeeklyTimes newTimes) {
            return new State(defined, seats, students, line, closed, window, prerequisites, newTimes);
        }
    }

    public static CourseFacts of(CourseId course) {
        return new CourseFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(
                EnrollmentEventCodec.types(SeatEvent.class).tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(
                false,
                0,
                IdSet.EMPTY,
                IdSet.EMPTY,
                false,
                EnrollmentWindow.ALWAYS,
                Prerequisites.NONE,
                WeeklyTimes.NONE);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch ((SeatEvent) event) {
            case CourseDefined defined ->
                new State(
                        true,
                        defined.capacity().seats(),
                        state.students,
                        state.line,
                        state.closed,
                        defined.window(),
                        defined.prerequisites(),
                        defined.times());
            // As in the views, these changes before the definition belong to no course.
            case CourseCapacityChanged changed ->
                state.defined ? state.withSeats(changed.capacity().seats()) : state;
            case EnrollmentWindowChanged changed -> state.defined ? state.withWindow(changed.window()) : state;
            case CoursePrerequisitesChanged changed ->
                state.defined ? state.withPrerequisites(changed.prerequisites()) : state;
            case CourseTimesChanged changed -> state.defined ? state.withTimes(changed.times()) : state;
            case CourseClosed closed -> state.defined ? state.withClosed() : state;
            case StudentEnrolledInCourse in ->
                state.withStudents(state.students.plus(in.student().value()));
            case StudentEnrolledByOverride in ->
                state.withStudents(state.students.plus(in.student().value()));
            case StudentDroppedCourse out ->
                state.withStudents(state.students.minus(out.student().value()));
            case StudentJoinedWaitingList joined ->
                state.withLine(state.line.plus(joined.student().value()));
            case StudentLeftWaitingList left ->
                state.withLine(state.line.minus(left.student().value()));
        };
    }

    @Override
    public Optional<StoredForm<State>> storedForm() {
        return Optional.of(StoredCourse.of(course));
    }

    /* A prerequisite takes about 130 bytes: an entry of a hash table, and the id. */
    @Override
    public int weight(State state) {
        return 1
                + state.students.kilobytes()
                + state.line.kilobytes()
                + state.prerequisites.courses().size() / 8;
    }
}
