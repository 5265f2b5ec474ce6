package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import java.time.Instant;
import java.util.List;

/**
 * Enrolls a student in a course that is not closed, although a rule of {@link EnrollStudent} may refuse it. A student
 * who waits for the course leaves its waiting list.
 *
 * @param reason why the rules do not count for this student
 */
public record EnrollByOverride(StudentId student, CourseId course, OverrideReason reason)
        implements Decision<EnrollmentEvent, EnrollByOverride.Refused>, StudentCommand {

    /** Why the student is not enrolled. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        ALREADY_ENROLLED,
        COURSE_CLOSED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseFacts.of(course), StudentFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        CourseFacts.State courseState = facts.get(CourseFacts.of(course));
        StudentFacts.State studentState = facts.get(StudentFacts.of(student));
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
        EnrollmentEvent enrollment = new StudentEnrolledByOverride(student, course, reason);
        return courseState.line().contains(student.value())
                ? new Verdict.Accept<>(List.of(enrollment, new StudentLeftWaitingList(student, course)))
                : Verdict.accept(enrollment);
    }
}
