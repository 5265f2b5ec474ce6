package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import java.time.Instant;
import java.util.List;

/**
 * Ends what may be stored about the person behind a student's id, before the events are erased. A command that is about
 * to store a name or an address conflicts with it, is decided again, and finds no such student. Everything else comes
 * out as before: the id stays taken, and the student keeps seats and places. A repetition says it again only if there
 * is a personal event behind the last erasure, so that views blank that, too.
 */
public record EraseStudent(StudentId student)
        implements Decision<EnrollmentEvent, EraseStudent.Refused>, StudentCommand {

    /** Why nothing is erased. */
    public enum Refused implements Refusal {
        STUDENT_UNKNOWN
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(StudentFacts.of(student), new PersonalDataFacts(student));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (!facts.get(StudentFacts.of(student)).registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        return facts.get(new PersonalDataFacts(student))
                ? Verdict.accept(new StudentErased(student))
                : new Verdict.Accept<>(List.of());
    }
}
