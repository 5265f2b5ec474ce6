package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Enrolls a student in a course. The student must be enrolled in its prerequisites and below the limit; the course must
 * have a free seat and an empty waiting list.
 *
 * @param limit maximum number of courses of a student without a tier
 */
public record EnrollStudent(StudentId student, CourseId course, int limit)
        implements Decision<EnrollmentEvent, EnrollStudent.Refused>, StudentCommand {

    /** Why the student is not enrolled. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        ALREADY_ENROLLED,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        PREREQUISITE_MISSING,
        WAITING_LIST_NOT_EMPTY,
        COURSE_FULL,
        STUDENT_AT_LIMIT
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseFacts.of(course), StudentFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        return decide(facts.get(CourseFacts.of(course)), facts.get(StudentFacts.of(student)), now);
    }

    /** Decides on states that need not be the present ones. */
    Verdict<EnrollmentEvent, Refused> decide(
            CourseFacts.State courseState, StudentFacts.State studentState, Instant now) {
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
        if (courseState.waiting() > 0) {
            return Verdict.refuse(
                    Refused.WAITING_LIST_NOT_EMPTY,
                    "Course %s has %s on its waiting list, which takes precedence"
                            .formatted(course, new Counted(courseState.waiting(), "student")));
        }
        if (courseState.full()) {
            return Verdict.refuse(
                    Refused.COURSE_FULL,
                    "Course %s is full: %s of %s taken"
                            .formatted(course, courseState.enrolled(), new Counted(courseState.seats(), "seat")));
        }
        if (studentState.isAtLimit(limit)) {
            return Verdict.refuse(
                    Refused.STUDENT_AT_LIMIT,
                    "Student %s is enrolled in %s (%s)"
                            .formatted(
                                    student,
                                    new Counted(studentState.courses().size(), "course"),
                                    studentState.describedLimit(limit)));
        }
        return Verdict.accept(new StudentEnrolledInCourse(student, course));
    }
}
