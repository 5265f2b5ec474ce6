package dev.registrar.enrollment;

import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.ArrayList;
import java.util.List;

/** Who waits for a seat in a course, the first in line first. Who only asks how many do asks {@link CourseFacts}. */
public record WaitingListFacts(CourseId course) implements Fact<EnrollmentEvent, List<StudentId>> {
    /** The most students who wait for one course at a time. */
    public static final int LONGEST = 10_000;

    public static WaitingListFacts of(CourseId course) {
        return new WaitingListFacts(course);
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(STUDENT_JOINED_WAITING_LIST, STUDENT_LEFT_WAITING_LIST)
                .tagged(course.tag().value()));
    }

    @Override
    public List<StudentId> initial() {
        return List.of();
    }

    @Override
    public List<StudentId> apply(List<StudentId> line, EnrollmentEvent event) {
        return switch (event) {
            case StudentJoinedWaitingList joined -> {
                List<StudentId> longer = new ArrayList<>(line.size() + 1);
                longer.addAll(line);
                longer.add(joined.student());
                yield List.copyOf(longer);
            }
            case StudentLeftWaitingList left -> {
                List<StudentId> shorter = new ArrayList<>(line);
                shorter.remove(left.student());
                yield List.copyOf(shorter);
            }
            case CourseDefined elsewhere -> line;
            case CourseCapacityChanged elsewhere -> line;
            case CourseClosed elsewhere -> line;
            case StudentRegistered elsewhere -> line;
            case StudentEnrolledInCourse elsewhere -> line;
            case StudentDroppedCourse elsewhere -> line;
        };
    }

    @Override
    public int weight(List<StudentId> line) {
        return 1 + line.size() / 8;
    }
}
