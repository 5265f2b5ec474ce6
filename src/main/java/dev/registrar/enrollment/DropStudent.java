package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import java.time.Instant;
import java.util.List;

/** Ends the enrollment of a student in a course. */
public record DropStudent(StudentId student, CourseId course)
        implements Decision<EnrollmentEvent, DropStudent.Refused>, StudentCommand {

    /** Why there is no enrollment to end. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        NOT_ENROLLED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseExistence.of(course), StudentFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (!facts.get(CourseExistence.of(course))) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        StudentFacts.State studentState = facts.get(StudentFacts.of(student));
        if (!studentState.registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        return studentState.isEnrolledIn(course)
                ? Verdict.accept(new StudentDroppedCourse(student, course))
                : Verdict.refuse(
                        Refused.NOT_ENROLLED, "Student %s is not enrolled in course %s".formatted(student, course));
    }
}
