package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleEvent;
import dev.registrar.eventstore.Query;
import java.util.Optional;

/** The title of a course; empty before it is defined. */
record CourseTitleFacts(CourseId course) implements Fact<EnrollmentEvent, Optional<CourseTitle>> {

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(CourseTitleEvent.class)
                .tagged(course.tag().value()));
    }

    @Override
    public Optional<CourseTitle> initial() {
        return Optional.empty();
    }

    @Override
    public Optional<CourseTitle> apply(Optional<CourseTitle> title, EnrollmentEvent event) {
        return switch ((CourseTitleEvent) event) {
            case CourseDefined defined -> Optional.of(defined.title());
            // As in the views, a title before the definition belongs to no course.
            case CourseTitleChanged changed -> title.map(former -> changed.title());
        };
    }
}
