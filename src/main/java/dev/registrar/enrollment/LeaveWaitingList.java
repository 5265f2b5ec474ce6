package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import java.time.Instant;
import java.util.List;

/** Removes a student from the waiting list of a course. */
public record LeaveWaitingList(StudentId student, CourseId course)
        implements Decision<EnrollmentEvent, LeaveWaitingList.Refused>, StudentCommand {

    /** Why there is no place to give up. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        NOT_WAITING
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseExistence.of(course), StudentFacts.of(student), WaitingFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (!facts.get(CourseExistence.of(course))) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (!facts.get(StudentFacts.of(student)).registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        return facts.get(WaitingFacts.of(student)).contains(course)
                ? Verdict.accept(new StudentLeftWaitingList(student, course))
                : Verdict.refuse(
                        Refused.NOT_WAITING,
                        "Student %s is not on the waiting list of course %s".formatted(student, course));
    }
}
