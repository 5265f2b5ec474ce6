package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.PersonalEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.eventstore.Query;

/**
 * Whether a student has a personal event behind the last erasure. An override may bring one after it, or between it and
 * the masking of the events.
 */
record PersonalDataFacts(StudentId student) implements Fact<EnrollmentEvent, Boolean> {

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(PersonalEvent.class, StudentErased.class)
                .tagged(student.tag().value()));
    }

    @Override
    public Boolean initial() {
        return false;
    }

    @Override
    public Boolean apply(Boolean before, EnrollmentEvent event) {
        return event instanceof PersonalEvent;
    }
}
