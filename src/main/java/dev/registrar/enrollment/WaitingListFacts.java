package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
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
        return Query.of(QueryItem.types(STUDENT_JOINED_WAITING_LIST, STUDENT_LEFT_WAITING_LIST)
                .tagged(course.tag().value()));
    }

    @Override
    public OrderedPSet<StudentId> initial() {
        return OrderedPSet.empty();
    }

    @Override
    public OrderedPSet<StudentId> apply(OrderedPSet<StudentId> students, EnrollmentEvent event) {
        return switch (event) {
            case StudentJoinedWaitingList joined -> students.plus(joined.student());
            case StudentLeftWaitingList left -> students.minus(left.student());
            case CourseDefined unrelated -> students;
            case CourseCapacityChanged unrelated -> students;
            case CoursePrerequisitesChanged unrelated -> students;
            case CourseClosed unrelated -> students;
            case StudentRegistered unrelated -> students;
            case StudentTierChanged unrelated -> students;
            case StudentEnrolledInCourse unrelated -> students;
            case StudentDroppedCourse unrelated -> students;
        };
    }

    /* A student takes about 230 bytes: an entry in each of two trees, and the id. */
    @Override
    public int weight(OrderedPSet<StudentId> students) {
        return 1 + students.size() / 4;
    }
}
