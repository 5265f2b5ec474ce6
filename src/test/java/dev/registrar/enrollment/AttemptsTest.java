package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Repeats a command that was refused as outdated. */
class AttemptsTest {
    private static final EnrollStudent ENROLL = new EnrollStudent(BOB, MATHS, 10);
    private static final EnrollStudent WITH_MUSIC = new EnrollStudent(BOB, MATHS, 10, new OtherTimes(Set.of(MUSIC)));
    private static final Outcome<EnrollmentEvent, Refusal> NEEDS_MUSIC =
            new Outcome.Rejected<>(new MoreFacts(WITH_MUSIC), "");
    private static final Outcome<EnrollmentEvent, Refusal> FULL =
            new Outcome.Rejected<>(EnrollStudent.Refused.COURSE_FULL, "");

    private final List<Decision<EnrollmentEvent, ? extends Refusal>> executed = new ArrayList<>();

    private Attempts.Last carryOut(List<Outcome<EnrollmentEvent, Refusal>> outcomes) {
        return Attempts.carryOut(() -> ENROLL, decision -> {
            executed.add(decision);
            return outcomes.get(Math.min(executed.size(), outcomes.size()) - 1);
        });
    }

    @Test
    void the_next_attempt_has_the_facts_that_were_missing_or_looks_again() {
        Outcome<EnrollmentEvent, Refusal> changed =
                new Outcome.Rejected<>(ChangePrerequisites.Refused.REQUIRED_COURSES_CHANGED, "");

        Attempts.Last last = carryOut(List.of(NEEDS_MUSIC, changed, NEEDS_MUSIC, FULL));

        assertThat(executed).isEqualTo(List.of(ENROLL, WITH_MUSIC, ENROLL, WITH_MUSIC));
        assertThat(last).isEqualTo(new Attempts.Last(WITH_MUSIC, FULL));
    }

    @Test
    void a_command_that_stays_outdated_is_given_up_as_contended() {
        Attempts.Last last = carryOut(List.of(NEEDS_MUSIC));

        assertThat(executed).hasSize(Attempts.MOST);
        assertThat(last.outcome()).isEqualTo(new Outcome.Contended<>(Attempts.MOST));
    }
}
