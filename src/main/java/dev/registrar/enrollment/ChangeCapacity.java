package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import java.time.Instant;
import java.util.List;

/**
 * Changes the number of seats in a course, to no fewer than the students enrolled. A course that has more students than
 * seats, by override, may get more seats all the same.
 */
public record ChangeCapacity(CourseId course, Capacity capacity)
        implements Decision<EnrollmentEvent, ChangeCapacity.Refused> {

    /** Why the capacity is not changed. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_CLOSED,
        CAPACITY_UNCHANGED,
        CAPACITY_BELOW_ENROLLED
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
        if (present.seats() == capacity.seats()) {
            return Verdict.refuse(
                    Refused.CAPACITY_UNCHANGED,
                    "Course %s already has %s".formatted(course, new Counted(present.seats(), "seat")));
        }
        if (present.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        if (capacity.seats() < present.enrolled() && capacity.seats() < present.seats()) {
            return Verdict.refuse(
                    Refused.CAPACITY_BELOW_ENROLLED,
                    "Course %s has %s enrolled, more than the new capacity of %s"
                            .formatted(course, new Counted(present.enrolled(), "student"), capacity.seats()));
        }
        return Verdict.accept(new CourseCapacityChanged(course, capacity));
    }
}
