package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import java.time.Instant;
import java.util.List;

/** Registers a student under an id and an e-mail address that no other student has. */
public record RegisterStudent(StudentId student, StudentName name, EmailAddress email)
        implements Decision<EnrollmentEvent, RegisterStudent.Refused>, StudentCommand {

    /** Why the student is not registered. */
    public enum Refused implements Refusal {
        STUDENT_ID_TAKEN,
        EMAIL_TAKEN
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(StudentFacts.of(student), EmailFacts.of(email));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (facts.get(StudentFacts.of(student)).registered()) {
            return Verdict.refuse(Refused.STUDENT_ID_TAKEN, "Student %s already exists".formatted(student));
        }
        return facts.get(EmailFacts.of(email)).isEmpty()
                ? Verdict.accept(new StudentRegistered(student, name, email))
                : Verdict.refuse(
                        Refused.EMAIL_TAKEN, "The e-mail address %s belongs to another student".formatted(email));
    }
}
