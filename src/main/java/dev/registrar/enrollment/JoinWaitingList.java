package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import java.time.Instant;
import java.util.List;

/**
 * Puts a student at the end of the line for a course that is full, or that others wait for already. Who is in as many
 * courses as may be can wait: a seat is for those who may take it when it is free.
 */
public record JoinWaitingList(StudentId student, CourseId course)
        implements Decision<EnrollmentEvent, JoinWaitingList.Refused> {

    /** Why the student does not wait, or not once more. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        ALREADY_ENROLLED,
        ALREADY_WAITING,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        COURSE_NOT_FULL,
        WAITING_LIST_FULL,
        STUDENT_AT_WAITING_LIMIT
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseFacts.of(course), StudentFacts.of(student), WaitingFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        CourseFacts.State seats = facts.get(CourseFacts.of(course));
        StudentFacts.State who = facts.get(StudentFacts.of(student));
        List<CourseId> waitsFor = facts.get(WaitingFacts.of(student));
        if (!seats.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (!who.registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        if (who.isEnrolledIn(course)) {
            return Verdict.refuse(
                    Refused.ALREADY_ENROLLED, "Student %s is enrolled in course %s already".formatted(student, course));
        }
        if (waitsFor.contains(course)) {
            return Verdict.refuse(
                    Refused.ALREADY_WAITING,
                    "Student %s is on the waiting list of course %s already".formatted(student, course));
        }
        if (seats.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        if (!seats.window().isOpenAt(now)) {
            return Verdict.refuse(
                    Refused.OUTSIDE_ENROLLMENT_WINDOW,
                    "Course %s takes enrollments %s, and it is %s".formatted(course, seats.window(), now));
        }
        if (!seats.full() && seats.waiting() == 0) {
            return Verdict.refuse(
                    Refused.COURSE_NOT_FULL,
                    "Course %s is not full: %d of %d seats taken, and no student waits"
                            .formatted(course, seats.enrolled(), seats.seats()));
        }
        if (seats.waiting() >= WaitingListFacts.LONGEST) {
            return Verdict.refuse(
                    Refused.WAITING_LIST_FULL,
                    "The waiting list of course %s is full: %d of %d places taken"
                            .formatted(course, seats.waiting(), WaitingListFacts.LONGEST));
        }
        if (waitsFor.size() >= WaitingFacts.MOST) {
            return Verdict.refuse(
                    Refused.STUDENT_AT_WAITING_LIMIT,
                    "Student %s waits for %d courses, and the limit is %d"
                            .formatted(student, waitsFor.size(), WaitingFacts.MOST));
        }
        return Verdict.accept(new StudentJoinedWaitingList(student, course));
    }
}
