package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.Set;

/**
 * Whether a student is registered under an e-mail address.
 *
 * @param tags the tags of the address; a registration with any of them counts
 */
public record EmailFacts(Set<Tag> tags) implements Fact<EnrollmentEvent, Boolean> {

    public EmailFacts {
        tags = Set.copyOf(tags);
    }

    public static EmailFacts of(EmailAddress email) {
        return new EmailFacts(email.tags());
    }

    @Override
    public Query query() {
        QueryItem registered = EnrollmentEventCodec.types(StudentRegistered.class);
        return Query.of(tags.stream().map(tag -> registered.tagged(tag.value())).toArray(QueryItem[]::new));
    }

    @Override
    public Boolean initial() {
        return false;
    }

    @Override
    public Boolean apply(Boolean taken, EnrollmentEvent event) {
        return true;
    }
}
