package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.WaitingListChange;
import dev.registrar.eventstore.Query;
import org.pcollections.OrderedPSet;

/** The courses whose waiting lists a student is on, each once, in the order of joining. */
public record WaitingFacts(StudentId student) implements Fact<EnrollmentEvent, OrderedPSet<CourseId>> {
    /** Maximum number of waiting lists that a student may be on at a time. */
    public static final int MAX_COURSES = 100;

    public static WaitingFacts of(StudentId student) {
        return new WaitingFacts(student);
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(WaitingListChange.class)
                .tagged(student.tag().value()));
    }

    @Override
    public OrderedPSet<CourseId> initial() {
        return OrderedPSet.empty();
    }

    @Override
    public OrderedPSet<CourseId> apply(OrderedPSet<CourseId> courses, EnrollmentEvent event) {
        return switch ((WaitingListChange) event) {
            case StudentJoinedWaitingList joined -> courses.plus(joined.course());
            case StudentLeftWaitingList left -> courses.minus(left.course());
        };
    }

    /* As in WaitingListFacts, a course takes about 230 bytes. */
    @Override
    public int weight(OrderedPSet<CourseId> courses) {
        return 1 + courses.size() / 4;
    }
}
