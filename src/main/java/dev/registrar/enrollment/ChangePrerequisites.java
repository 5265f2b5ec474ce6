package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Replaces the prerequisites of a course. They apply to later enrollments; enrolled students stay enrolled.
 *
 * <p>A course must not require itself, directly or through others. The decision therefore reads all courses that the
 * new prerequisites require in turn, and no other course. Removing prerequisites closes no cycle, so removed
 * prerequisites are not followed.
 *
 * @param required the prerequisites, their prerequisites, and so on, as known to the caller; at most
 *     {@value #MAX_REQUIRED}
 */
public record ChangePrerequisites(CourseId course, Prerequisites prerequisites, Set<CourseId> required)
        implements Decision<EnrollmentEvent, ChangePrerequisites.Refused> {
    /** Each required course takes one of the 100 items in the conditions of an append. */
    public static final int MAX_REQUIRED = 64;

    /** Why the prerequisites are not changed. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_CLOSED,
        PREREQUISITES_UNCHANGED,
        PREREQUISITE_CYCLE,
        /** The caller does not know all required courses, and must read them again. */
        REQUIRED_COURSES_CHANGED,
        TOO_MANY_REQUIRED_COURSES,
        PREREQUISITE_UNDEFINED;

        @Override
        public boolean isOutdated() {
            return this == REQUIRED_COURSES_CHANGED;
        }
    }

    public ChangePrerequisites {
        required = Set.copyOf(required);
        if (required.size() > MAX_REQUIRED) {
            throw new IllegalArgumentException(
                    "Too many required courses: %s (limit %s)".formatted(required.size(), MAX_REQUIRED));
        }
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        List<Fact<EnrollmentEvent, ?>> facts = new ArrayList<>(1 + required.size());
        facts.add(PrerequisiteFacts.of(course));
        required.stream()
                .filter(each -> !each.equals(course))
                .map(PrerequisiteFacts::of)
                .forEach(facts::add);
        return facts;
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        PrerequisiteFacts.State present = facts.get(PrerequisiteFacts.of(course));
        if (!present.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (present.prerequisites().equals(prerequisites)) {
            return Verdict.refuse(
                    Refused.PREREQUISITES_UNCHANGED,
                    "Course %s already has these prerequisites: %s"
                            .formatted(course, prerequisites.isEmpty() ? "none" : prerequisites));
        }
        if (present.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        // Removing prerequisites closes no cycle.
        return present.prerequisites().courses().containsAll(prerequisites.courses()) ? accept() : followed(facts);
    }

    /* Follows the known courses. Whether too many are required is certain only once that many have been seen. */
    private Verdict<EnrollmentEvent, Refused> followed(Facts<EnrollmentEvent> facts) {
        Queue<CourseId> left = new ArrayDeque<>(prerequisites.courses());
        Set<CourseId> seen = new HashSet<>(left);
        while (!left.isEmpty()) {
            CourseId next = left.remove();
            if (next.equals(course)) {
                return Verdict.refuse(Refused.PREREQUISITE_CYCLE, "Course %s would require itself".formatted(course));
            }
            if (!required.contains(next)) {
                continue;
            }
            PrerequisiteFacts.State requiredState = facts.get(PrerequisiteFacts.of(next));
            if (!requiredState.defined() && prerequisites.courses().contains(next)) {
                return Verdict.refuse(
                        Refused.PREREQUISITE_UNDEFINED,
                        "There is no course %s, so course %s cannot require it".formatted(next, course));
            }
            requiredState.prerequisites().courses().stream().filter(seen::add).forEach(left::add);
        }
        if (seen.size() > MAX_REQUIRED) {
            return tooMany();
        }
        return required.containsAll(seen) ? accept() : outdated();
    }

    private Verdict<EnrollmentEvent, Refused> accept() {
        return Verdict.accept(new CoursePrerequisitesChanged(course, prerequisites));
    }

    private Verdict<EnrollmentEvent, Refused> tooMany() {
        return Verdict.refuse(
                Refused.TOO_MANY_REQUIRED_COURSES,
                "Course %s would require more than %s courses, directly or through others"
                        .formatted(course, MAX_REQUIRED));
    }

    private Verdict<EnrollmentEvent, Refused> outdated() {
        return Verdict.refuse(
                Refused.REQUIRED_COURSES_CHANGED,
                "The courses that course %s would require have changed meanwhile".formatted(course));
    }
}
