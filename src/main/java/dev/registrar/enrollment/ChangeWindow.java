package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import java.time.Instant;
import java.util.List;

/**
 * Changes when a course takes enrollments. A later end opens the enrollment again, and free seats go to the waiting
 * list.
 *
 * <p>While students wait, the window must not begin later than now: its beginning is no event, so the waiting list's
 * automation would not notice it.
 */
public record ChangeWindow(CourseId course, EnrollmentWindow window)
        implements Decision<EnrollmentEvent, ChangeWindow.Refused> {

    /** Why the window is not changed. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_CLOSED,
        WINDOW_UNCHANGED,
        WAITING_LIST_NOT_EMPTY
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
        if (present.window().equals(window)) {
            return Verdict.refuse(
                    Refused.WINDOW_UNCHANGED, "Course %s already takes enrollments %s".formatted(course, window));
        }
        if (present.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        Instant opensAt = window.opensAt();
        if (present.waiting() > 0 && opensAt != null && opensAt.isAfter(now)) {
            return Verdict.refuse(
                    Refused.WAITING_LIST_NOT_EMPTY,
                    "Course %s has %s on its waiting list, so its enrollment cannot open later than now: %s"
                            .formatted(course, new Counted(present.waiting(), "student"), opensAt));
        }
        return Verdict.accept(new EnrollmentWindowChanged(course, window));
    }
}
