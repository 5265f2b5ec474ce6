package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.eventstore.Query;

/** Whether a course is defined: for decisions that must not conflict with every enrollment in the course. */
public record CourseExistence(CourseId course) implements Fact<EnrollmentEvent, Boolean> {

    public static CourseExistence of(CourseId course) {
        return new CourseExistence(course);
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(CourseDefined.class)
                .tagged(course.tag().value()));
    }

    @Override
    public Boolean initial() {
        return false;
    }

    @Override
    public Boolean apply(Boolean exists, EnrollmentEvent event) {
        return true;
    }
}
