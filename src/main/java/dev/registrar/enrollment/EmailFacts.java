package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;

/**
 * Whether a student is registered under an e-mail address.
 *
 * @param address the tag of its hash
 */
public record EmailFacts(Tag address) implements Fact<EnrollmentEvent, Boolean> {

    public static EmailFacts of(EmailAddress email) {
        return new EmailFacts(email.tag());
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(EnrollmentEventCodec.STUDENT_REGISTERED).tagged(address.value()));
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
