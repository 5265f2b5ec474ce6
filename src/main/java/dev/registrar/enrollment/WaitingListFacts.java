package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.WaitingListChange;
import dev.registrar.eventstore.Query;
import org.pcollections.OrderedPSet;

/**
 * The students on the waiting list of a course, each once, in the order of the list. Decisions that need only their
 * number use {@link CourseFacts} instead.
 */
public record WaitingListFacts(CourseId course) implements Fact<EnrollmentEvent, OrderedPSet<StudentId>> {
    /** Maximum number of students on one waiting list. */
    public static final int MAX_STUDENTS = 10_000;

    public static WaitingListFacts of(CourseId course) {
        return new WaitingListFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(WaitingListChange.class)
                .tagged(course.tag().value()));
    }

    @Override
    public OrderedPSet<StudentId> initial() {
        return OrderedPSet.empty();
    }

    @Override
    public OrderedPSet<StudentId> apply(OrderedPSet<StudentId> students, EnrollmentEvent event) {
        return switch ((WaitingListChange) event) {
            case StudentJoinedWaitingList joined -> students.plus(joined.student());
            case StudentLeftWaitingList left -> students.minus(left.student());
        };
    }

    /* A student takes about 230 bytes: an entry in each of two trees, and the id. */
    @Override
    public int weight(OrderedPSet<StudentId> students) {
        return 1 + students.size() / 4;
    }
}
