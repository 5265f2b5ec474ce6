package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Changes the title of a course, also of a closed one. It conflicts with no enrollment. */
public record ChangeTitle(CourseId course, CourseTitle title)
        implements Decision<EnrollmentEvent, ChangeTitle.Refused> {

    /** Why the title is not changed. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        TITLE_UNCHANGED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(new CourseTitleFacts(course));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        Optional<CourseTitle> present = facts.get(new CourseTitleFacts(course));
        if (present.isEmpty()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        return present.get().equals(title)
                ? Verdict.refuse(Refused.TITLE_UNCHANGED, "Course %s already has this title".formatted(course))
                : Verdict.accept(new CourseTitleChanged(course, title));
    }
}
