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
import java.util.ArrayList;
import java.util.List;

/** The courses whose waiting lists a student is on, each once, in the order of joining. */
public record WaitingFacts(StudentId student) implements Fact<EnrollmentEvent, List<CourseId>> {
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
    public List<CourseId> initial() {
        return List.of();
    }

    @Override
    public List<CourseId> apply(List<CourseId> courses, EnrollmentEvent event) {
        return switch (event) {
            case StudentJoinedWaitingList joined when courses.contains(joined.course()) -> courses;
            case StudentJoinedWaitingList joined -> {
                List<CourseId> more = new ArrayList<>(courses);
                more.add(joined.course());
                yield List.copyOf(more);
            }
            case StudentLeftWaitingList left -> {
                List<CourseId> fewer = new ArrayList<>(courses);
                fewer.remove(left.course());
                yield List.copyOf(fewer);
            }
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

    @Override
    public int weight(List<CourseId> courses) {
        return 1 + courses.size() / 8;
    }
}
