package dev.registrar.console.office;

import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.TimeOrderedId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The form that registers a student, as it was typed.
 *
 * @param tier the code of a tier; empty for none
 */
record StudentForm(String id, String name, String email, String tier) {
    static final StudentForm EMPTY = new StudentForm("", "", "", "");

    static final String ID = "Id of the student";
    static final String EMAIL = "E-mail address";

    /**
     * The commands of the form.
     *
     * @param tier the tier of the student after the registration; empty for none
     */
    record Commands(RegisterStudent register, Optional<Tier> tier) {}

    static StudentForm of(HttpServletRequest request) {
        return new StudentForm(
                Typed.text(request, "id"),
                Typed.text(request, "name"),
                Typed.text(request, "email"),
                Typed.text(request, "tier"));
    }

    /** The commands; empty if a field has a fault. */
    Optional<Commands> commands(Faults faults) {
        Optional<StudentId> student = id.isEmpty()
                ? Optional.of(new StudentId(TimeOrderedId.next().toString()))
                : faults.value("id", ID, Typed.noId(id, "a student"), () -> new StudentId(id));
        Optional<StudentName> ofStudent =
                faults.value("name", "Name", "Type a name: " + Typed.LINE_HINT, () -> new StudentName(name));
        Optional<EmailAddress> address = faults.value(
                "email",
                EMAIL,
                "Type an e-mail address such as name@example.org, of at most %d characters."
                        .formatted(EmailAddress.MAX_LENGTH),
                () -> new EmailAddress(email));
        Optional<Optional<Tier>> level = tier(tier, faults);
        return student.isPresent() && ofStudent.isPresent() && address.isPresent() && level.isPresent()
                ? Optional.of(
                        new Commands(new RegisterStudent(student.get(), ofStudent.get(), address.get()), level.get()))
                : Optional.empty();
    }

    private static Optional<Optional<Tier>> tier(String code, Faults faults) {
        return faults.value(
                "tier",
                "Tier",
                "Choose one of the tiers.",
                () -> code.isEmpty() ? Optional.empty() : Optional.of(Tier.of(code)));
    }
}
