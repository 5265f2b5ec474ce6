package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import java.time.Instant;
import java.util.List;

/** Closes a course: it takes no more enrollments, and its capacity no longer changes. */
public record CloseCourse(CourseId course) implements Decision<EnrollmentEvent, CloseCourse.Refused> {

    /** Why this command does not close the course. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_ALREADY_CLOSED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseFacts.of(course));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        CourseFacts.State present = facts.get(CourseFacts.of(course));
        if (!present.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        return present.closed()
                ? Verdict.refuse(Refused.COURSE_ALREADY_CLOSED, "Course %s is already closed".formatted(course))
                : Verdict.accept(new CourseClosed(course));
    }
}
