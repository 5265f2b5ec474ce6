package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import java.time.Instant;
import java.util.List;

/**
 * Replaces the weekly times of a course. Enrolled students stay enrolled, even if the new times clash with another
 * course of theirs. The times of a closed course can change, too, because its students still attend it.
 */
public record ChangeTimes(CourseId course, WeeklyTimes times)
        implements Decision<EnrollmentEvent, ChangeTimes.Refused> {

    /** Why the times are not changed. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        TIMES_UNCHANGED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(TimesFacts.of(course));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        TimesFacts.State present = facts.get(TimesFacts.of(course));
        if (!present.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (present.times().equals(times)) {
            return Verdict.refuse(
                    Refused.TIMES_UNCHANGED,
                    "Course %s already has these times: %s".formatted(course, times.isEmpty() ? "none" : times));
        }
        return Verdict.accept(new CourseTimesChanged(course, times));
    }
}
