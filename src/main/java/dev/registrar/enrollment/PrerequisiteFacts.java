package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_DEFINED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_PREREQUISITES_CHANGED;

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

/** The prerequisites of a course, for decisions that do not conflict with enrollments in it. */
public record PrerequisiteFacts(CourseId course) implements Fact<EnrollmentEvent, PrerequisiteFacts.State> {

    /** The prerequisites of a course after its events. */
    public record State(boolean defined, boolean closed, Prerequisites prerequisites) {}

    public static PrerequisiteFacts of(CourseId course) {
        return new PrerequisiteFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(COURSE_DEFINED, COURSE_PREREQUISITES_CHANGED, COURSE_CLOSED)
                .tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, false, Prerequisites.NONE);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch (event) {
            case CourseDefined defined -> new State(true, state.closed, defined.prerequisites());
            case CoursePrerequisitesChanged changed ->
                state.defined ? new State(true, state.closed, changed.prerequisites()) : state;
            case CourseClosed closed -> state.defined ? new State(true, true, state.prerequisites) : state;
            case CourseCapacityChanged unrelated -> state;
            case StudentRegistered unrelated -> state;
            case StudentTierChanged unrelated -> state;
            case StudentEnrolledInCourse unrelated -> state;
            case StudentDroppedCourse unrelated -> state;
            case StudentJoinedWaitingList unrelated -> state;
            case StudentLeftWaitingList unrelated -> state;
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.prerequisites.courses().size() / 8;
    }
}
