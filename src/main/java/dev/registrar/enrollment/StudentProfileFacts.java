package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentProfileEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.eventstore.Query;
import java.util.Optional;

/** The name and the e-mail address of a student; empty before the registration and after an erasure. */
record StudentProfileFacts(StudentId student) implements Fact<EnrollmentEvent, Optional<StudentProfileFacts.Profile>> {

    record Profile(StudentName name, EmailAddress email) {}

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(StudentProfileEvent.class)
                .tagged(student.tag().value()));
    }

    @Override
    public Optional<Profile> initial() {
        return Optional.empty();
    }

    @Override
    public Optional<Profile> apply(Optional<Profile> profile, EnrollmentEvent event) {
        return switch ((StudentProfileEvent) event) {
            case StudentRegistered registered -> Optional.of(new Profile(registered.name(), registered.email()));
            // As in the views, changes before the registration belong to no student.
            case StudentNameChanged changed -> profile.map(former -> new Profile(changed.name(), former.email()));
            case StudentEmailChanged changed -> profile.map(former -> new Profile(former.name(), changed.email()));
            case StudentTierChanged changed -> profile;
            case StudentErased erased -> Optional.empty();
        };
    }
}
