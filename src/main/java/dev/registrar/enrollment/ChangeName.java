package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Changes the name of a student. */
public record ChangeName(StudentId student, StudentName name)
        implements Decision<EnrollmentEvent, ChangeName.Refused>, StudentCommand {

    /** Why the name is not changed. */
    public enum Refused implements Refusal {
        STUDENT_UNKNOWN,
        NAME_UNCHANGED
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(new StudentProfileFacts(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        Optional<StudentProfileFacts.Profile> present = facts.get(new StudentProfileFacts(student));
        if (present.isEmpty()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        return present.get().name().equals(name)
                ? Verdict.refuse(Refused.NAME_UNCHANGED, "Student %s already has this name".formatted(student))
                : Verdict.accept(new StudentNameChanged(student, name));
    }
}
