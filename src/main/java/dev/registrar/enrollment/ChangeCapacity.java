package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import java.time.Instant;
import java.util.List;

/** Gives a course another number of seats, not below the students it has. */
public record ChangeCapacity(CourseId course, Capacity capacity)
        implements Decision<EnrollmentEvent, ChangeCapacity.Refused> {

    /** Why the capacity stays as it is. */
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
            return Verdict.refuse(Refused.COURSE_UNKNOWN);
        }
        if (present.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED);
        }
        if (present.seats() == capacity.seats()) {
            return Verdict.refuse(Refused.CAPACITY_UNCHANGED);
        }
        if (capacity.seats() < present.enrolled()) {
            return Verdict.refuse(Refused.CAPACITY_BELOW_ENROLLED);
        }
        return Verdict.accept(new CourseCapacityChanged(course, capacity));
    }
}
