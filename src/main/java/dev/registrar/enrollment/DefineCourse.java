package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import java.time.Instant;
import java.util.List;

/** Defines a course under an id that no other course has. */
public record DefineCourse(CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window)
        implements Decision<EnrollmentEvent, DefineCourse.Refused> {

    /** Why a course is not defined. */
    public enum Refused implements Refusal {
        COURSE_ID_TAKEN
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseExistence.of(course));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        return facts.get(CourseExistence.of(course))
                ? Verdict.refuse(Refused.COURSE_ID_TAKEN, "Course %s already exists".formatted(course))
                : Verdict.accept(new CourseDefined(course, title, capacity, window));
    }
}
