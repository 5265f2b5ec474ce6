package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Changes the e-mail address of a student to one that no other student has. The former address is free at once. A
 * student may write the present address in another form, such as in other letters.
 */
public record ChangeEmail(StudentId student, EmailAddress email)
        implements Decision<EnrollmentEvent, ChangeEmail.Refused>, StudentCommand {

    /** Why the address is not changed. */
    public enum Refused implements Refusal {
        STUDENT_UNKNOWN,
        EMAIL_UNCHANGED,
        EMAIL_TAKEN
    }

    /*
     * The boundary contains both addresses: the new one with all students who take or leave it, and the present one
     * through the events of the student. So an event always names the address that the student leaves, and two changes
     * of one student at the same time leave no address taken that no student has.
     */
    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(new StudentProfileFacts(student), EmailFacts.of(email));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        Optional<StudentProfileFacts.Profile> present = facts.get(new StudentProfileFacts(student));
        if (present.isEmpty()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        EmailAddress former = present.get().email();
        if (former.equals(email)) {
            return Verdict.refuse(
                    Refused.EMAIL_UNCHANGED, "Student %s already has this e-mail address".formatted(student));
        }
        return facts.get(EmailFacts.of(email)).minus(student).isEmpty()
                ? Verdict.accept(new StudentEmailChanged(student, email, former))
                : Verdict.refuse(
                        Refused.EMAIL_TAKEN, "The e-mail address %s belongs to another student".formatted(email));
    }
}
