package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/**
 * Puts a student at the end of the waiting list of a course that is full or has a waiting list. A student at the limit
 * of enrollments may wait, too: whether the student may take a seat is decided when a seat is free. A student who is
 * not enrolled in the prerequisites may not wait.
 */
public record JoinWaitingList(StudentId student, CourseId course)
        implements Decision<EnrollmentEvent, JoinWaitingList.Refused>, StudentCommand {

    /** Why the student is not put on the waiting list. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        ALREADY_ENROLLED,
        ALREADY_WAITING,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        PREREQUISITE_MISSING,
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
        CourseFacts.State courseState = facts.get(CourseFacts.of(course));
        StudentFacts.State studentState = facts.get(StudentFacts.of(student));
        Set<CourseId> waitsFor = facts.get(WaitingFacts.of(student));
        if (!courseState.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (!studentState.registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        if (studentState.isEnrolledIn(course)) {
            return Verdict.refuse(
                    Refused.ALREADY_ENROLLED, "Student %s is already enrolled in course %s".formatted(student, course));
        }
        if (waitsFor.contains(course)) {
            return Verdict.refuse(
                    Refused.ALREADY_WAITING,
                    "Student %s is already on the waiting list of course %s".formatted(student, course));
        }
        if (courseState.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        if (!courseState.window().isOpenAt(now)) {
            return Verdict.refuse(
                    Refused.OUTSIDE_ENROLLMENT_WINDOW,
                    "Course %s takes enrollments %s, but the time is %s"
                            .formatted(course, courseState.window(), now.truncatedTo(ChronoUnit.MICROS)));
        }
        Prerequisites missing = courseState.prerequisites().missing(studentState.courses());
        if (!missing.isEmpty()) {
            return Verdict.refuse(
                    Refused.PREREQUISITE_MISSING,
                    "Course %s requires courses in which student %s is not enrolled: %s"
                            .formatted(course, student, missing));
        }
        if (!courseState.full() && courseState.waiting() == 0) {
            return Verdict.refuse(
                    Refused.COURSE_NOT_FULL,
                    "Course %s is not full: %s of %s taken, and the waiting list is empty"
                            .formatted(course, courseState.enrolled(), new Counted(courseState.seats(), "seat")));
        }
        if (courseState.waiting() >= WaitingListFacts.MAX_STUDENTS) {
            return Verdict.refuse(
                    Refused.WAITING_LIST_FULL,
                    "The waiting list of course %s is full: %s of %s places taken"
                            .formatted(course, courseState.waiting(), WaitingListFacts.MAX_STUDENTS));
        }
        if (waitsFor.size() >= WaitingFacts.MAX_COURSES) {
            return Verdict.refuse(
                    Refused.STUDENT_AT_WAITING_LIMIT,
                    "Student %s is on %s waiting lists (limit %s)"
                            .formatted(student, waitsFor.size(), WaitingFacts.MAX_COURSES));
        }
        return Verdict.accept(new StudentJoinedWaitingList(student, course));
    }
}
