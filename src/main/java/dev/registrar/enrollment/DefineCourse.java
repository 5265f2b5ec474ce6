package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Defines a course under an id that no other course has.
 *
 * @param prerequisites each must be defined already
 */
public record DefineCourse(
        CourseId course,
        CourseTitle title,
        Capacity capacity,
        EnrollmentWindow window,
        Prerequisites prerequisites,
        WeeklyTimes times)
        implements Decision<EnrollmentEvent, DefineCourse.Refused> {

    /** Why a course is not defined. */
    public enum Refused implements Refusal {
        COURSE_ID_TAKEN,
        PREREQUISITE_CYCLE,
        PREREQUISITE_UNDEFINED
    }

    /** A course without weekly times. */
    public DefineCourse(
            CourseId course,
            CourseTitle title,
            Capacity capacity,
            EnrollmentWindow window,
            Prerequisites prerequisites) {
        this(course, title, capacity, window, prerequisites, WeeklyTimes.NONE);
    }

    /** A course without prerequisites. */
    public DefineCourse(CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window) {
        this(course, title, capacity, window, Prerequisites.NONE);
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return Stream.concat(Stream.of(course), prerequisites.courses().stream())
                .distinct()
                .map(CourseExistence::of)
                .toList();
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (facts.get(CourseExistence.of(course))) {
            return Verdict.refuse(Refused.COURSE_ID_TAKEN, "Course %s already exists".formatted(course));
        }
        for (CourseId prerequisite : prerequisites.courses()) {
            if (prerequisite.equals(course)) {
                return Verdict.refuse(Refused.PREREQUISITE_CYCLE, "Course %s would require itself".formatted(course));
            }
            if (!facts.get(CourseExistence.of(prerequisite))) {
                return Verdict.refuse(
                        Refused.PREREQUISITE_UNDEFINED,
                        "There is no course %s, so course %s cannot require it".formatted(prerequisite, course));
            }
        }
        return Verdict.accept(definition());
    }

    /** The event that this command leads to if it is accepted. */
    public CourseDefined definition() {
        return new CourseDefined(course, title, capacity, window, prerequisites, times);
    }
}
