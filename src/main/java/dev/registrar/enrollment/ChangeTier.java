package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import java.time.Instant;
import java.util.List;

/**
 * Sets the tier of a student. A student with more enrollments than the new tier allows keeps them, and cannot enroll in
 * another course until enough of them are dropped.
 */
public record ChangeTier(StudentId student, Tier tier)
        implements Decision<EnrollmentEvent, ChangeTier.Refused>, StudentCommand {

    /** Why the tier is not changed. */
    public enum Refused implements Refusal {
        STUDENT_UNKNOWN,
        TIER_UNCHANGED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(StudentFacts.of(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        StudentFacts.State present = facts.get(StudentFacts.of(student));
        if (!present.registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        return present.tier() == tier
                ? Verdict.refuse(
                        Refused.TIER_UNCHANGED, "Student %s already has the tier '%s'".formatted(student, tier.code()))
                : Verdict.accept(new StudentTierChanged(student, tier));
    }
}
