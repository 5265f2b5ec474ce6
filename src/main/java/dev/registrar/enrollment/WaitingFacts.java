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

/** The courses whose waiting lists a student is on, each once, in the order of joining. */
public record WaitingFacts(StudentId student) implements Fact<EnrollmentEvent, OrderedPSet<CourseId>> {
    /** Maximum number of waiting lists that a student may be on at a time. */
    public static final int MAX_COURSES = 100;

    public static WaitingFacts of(StudentId student) {
        return new WaitingFacts(student);
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(STUDENT_JOINED_WAITING_LIST, STUDENT_LEFT_WAITING_LIST)
                .tagged(student.tag().value()));
    }

    @Override
    public OrderedPSet<CourseId> initial() {
        return OrderedPSet.empty();
    }

    @Override
    public OrderedPSet<CourseId> apply(OrderedPSet<CourseId> courses, EnrollmentEvent event) {
        return switch (event) {
            case StudentJoinedWaitingList joined -> courses.plus(joined.course());
            case StudentLeftWaitingList left -> courses.minus(left.course());
            case CourseDefined unrelated -> courses;
            case CourseCapacityChanged unrelated -> courses;
            case CoursePrerequisitesChanged unrelated -> courses;
            case CourseClosed unrelated -> courses;
            case StudentRegistered unrelated -> courses;
            case StudentTierChanged unrelated -> courses;
            case StudentEnrolledInCourse unrelated -> courses;
            case StudentDroppedCourse unrelated -> courses;
        };
    }

    /* As in WaitingListFacts, a course takes about 230 bytes. */
    @Override
    public int weight(OrderedPSet<CourseId> courses) {
        return 1 + courses.size() / 4;
    }
}
