package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.TimesEvent;
import dev.registrar.eventstore.Query;

/** The weekly times of a course, for decisions that do not conflict with enrollments in it. */
public record TimesFacts(CourseId course) implements Fact<EnrollmentEvent, TimesFacts.State> {

    /** The times of a course after its events. */
    public record State(boolean defined, WeeklyTimes times) {}

    public static TimesFacts of(CourseId course) {
        return new TimesFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(
                EnrollmentEventCodec.types(TimesEvent.class).tagged(course.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, WeeklyTimes.NONE);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch ((TimesEvent) event) {
            case CourseDefined defined -> new State(true, defined.times());
            // As in the views, times before the definition belong to no course.
            case CourseTimesChanged changed -> state.defined ? new State(true, changed.times()) : state;
        };
    }
}
