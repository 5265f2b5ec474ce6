package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.PrerequisiteEvent;
import dev.registrar.eventstore.Query;

/** The prerequisites of a course, for decisions that do not conflict with enrollments in it. */
public record PrerequisiteFacts(CourseId course) implements Fact<EnrollmentEvent, PrerequisiteFacts.State> {

    /** The prerequisites of a course after its events. */
    public record State(boolean defined, boolean closed, Prerequisites prerequisites) {}

    public static PrerequisiteFacts of(CourseId course) {
        return new PrerequisiteFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(PrerequisiteEvent.class)
                .tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, false, Prerequisites.NONE);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch ((PrerequisiteEvent) event) {
            case CourseDefined defined -> new State(true, state.closed, defined.prerequisites());
            case CoursePrerequisitesChanged changed ->
                state.defined ? new State(true, state.closed, changed.prerequisites()) : state;
            case CourseClosed closed -> state.defined ? new State(true, true, state.prerequisites) : state;
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.prerequisites.courses().size() / 8;
    }
}
