package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.EmailEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.Collections;
import java.util.Set;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;

/**
 * The students who have an e-mail address now: at most one, unless earlier versions or other clients of the store gave
 * one address to several.
 *
 * @param tags the tags of the address; an address with any of them is the same one
 */
public record EmailFacts(Set<Tag> tags) implements Fact<EnrollmentEvent, PSet<StudentId>> {

    public EmailFacts {
        tags = Set.copyOf(tags);
    }

    public static EmailFacts of(EmailAddress email) {
        return new EmailFacts(email.tags());
    }

    @Override
    public Query query() {
        QueryItem events = EnrollmentEventCodec.types(EmailEvent.class);
        return Query.of(tags.stream().map(tag -> events.tagged(tag.value())).toArray(QueryItem[]::new));
    }

    @Override
    public PSet<StudentId> initial() {
        return HashTreePSet.empty();
    }

    @Override
    public PSet<StudentId> apply(PSet<StudentId> students, EnrollmentEvent event) {
        return switch ((EmailEvent) event) {
            case StudentRegistered registered -> students.plus(registered.student());
            // The query matches the former address, too.
            case StudentEmailChanged changed ->
                Collections.disjoint(changed.email().tags(), tags)
                        ? students.minus(changed.student())
                        : students.plus(changed.student());
        };
    }

    @Override
    public int weight(PSet<StudentId> students) {
        return 1 + students.size() / 8;
    }
}
