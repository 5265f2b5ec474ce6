package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeEmail.Refused.EMAIL_TAKEN;
import static dev.registrar.enrollment.ChangeEmail.Refused.EMAIL_UNCHANGED;
import static dev.registrar.enrollment.ChangeEmail.Refused.STUDENT_UNKNOWN;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.email;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeEmailTest {
    private static final EmailAddress FREE = new EmailAddress("free@example.org");
    private static final StudentEmailChanged ANN_TO_FREE = new StudentEmailChanged(ANN, FREE, email(ANN));

    @Test
    void a_student_gets_a_free_address() {
        given(studentRegistered(ANN)).when(new ChangeEmail(ANN, FREE)).thenAccepted(ANN_TO_FREE);
    }

    @Test
    void an_unknown_student_has_no_address() {
        given(studentRegistered(BOB)).when(new ChangeEmail(ANN, FREE)).thenRefused(STUDENT_UNKNOWN);
    }

    @Test
    void the_present_address_is_refused_as_no_change() {
        given(studentRegistered(ANN)).when(new ChangeEmail(ANN, email(ANN))).thenRefused(EMAIL_UNCHANGED);
        given(studentRegistered(ANN), ANN_TO_FREE)
                .when(new ChangeEmail(ANN, FREE))
                .thenRefused(EMAIL_UNCHANGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bob@example.org", "BOB@Example.org", "b\u200Bob@example.org"})
    void an_address_of_another_student_is_refused_in_any_form(String address) {
        given(studentRegistered(ANN), studentRegistered(BOB))
                .when(new ChangeEmail(ANN, new EmailAddress(address)))
                .thenRefused(EMAIL_TAKEN);
    }

    @Test
    void an_address_that_another_student_changed_to_is_taken() {
        given(studentRegistered(ANN), studentRegistered(BOB), ANN_TO_FREE)
                .when(new ChangeEmail(BOB, FREE))
                .thenRefused(EMAIL_TAKEN);
        given(studentRegistered(ANN), ANN_TO_FREE)
                .when(new RegisterStudent(BOB, new StudentName("Bob"), FREE))
                .thenRefused(RegisterStudent.Refused.EMAIL_TAKEN);
    }

    @Test
    void a_former_address_is_free_for_other_students_and_for_the_same_one() {
        given(studentRegistered(ANN), studentRegistered(BOB), ANN_TO_FREE)
                .when(new ChangeEmail(BOB, email(ANN)))
                .thenAccepted(new StudentEmailChanged(BOB, email(ANN), email(BOB)));
        given(studentRegistered(ANN), ANN_TO_FREE)
                .when(new RegisterStudent(BOB, new StudentName("Bob"), email(ANN)))
                .thenAccepted(new StudentRegistered(BOB, new StudentName("Bob"), email(ANN)));
        given(studentRegistered(ANN), ANN_TO_FREE)
                .when(new ChangeEmail(ANN, email(ANN)))
                .thenAccepted(new StudentEmailChanged(ANN, email(ANN), FREE));
    }

    @Test
    void a_student_writes_the_own_address_in_other_letters_and_keeps_it() {
        EmailAddress capital = new EmailAddress("Ann@Example.ORG");
        StudentEmailChanged changed = new StudentEmailChanged(ANN, capital, email(ANN));

        given(studentRegistered(ANN)).when(new ChangeEmail(ANN, capital)).thenAccepted(changed);
        given(studentRegistered(ANN), studentRegistered(BOB), changed)
                .when(new ChangeEmail(BOB, email(ANN)))
                .thenRefused(EMAIL_TAKEN);
        given(studentRegistered(ANN), studentRegistered(BOB), changed, new StudentEmailChanged(ANN, FREE, capital))
                .when(new ChangeEmail(BOB, email(ANN)))
                .thenAccepted(new StudentEmailChanged(BOB, email(ANN), email(BOB)));
    }

    /* Registrations of earlier versions have one tag: the hash of the address in lower case. */
    @Test
    void an_address_of_an_earlier_version_is_left_and_free() {
        EmailAddress decomposed = new EmailAddress("zoe\u0308@example.org");

        // printf 'zoe\xCC\x88@example.org' | sha256sum
        given(studentRegistered(BOB))
                .givenStored(
                        "StudentRegistered",
                        "{\"studentId\": \"ann\", \"name\": \"Zo\u00EB\", \"email\": \"zoe\u0308@example.org\"}",
                        "student:ann",
                        "email:56a0d1dcbfc1de391549cb93e34fee585645f0156b4ec1ea6685c83b2dfff03e")
                .given(new StudentEmailChanged(ANN, FREE, decomposed))
                .when(new ChangeEmail(BOB, decomposed))
                .thenAccepted(new StudentEmailChanged(BOB, decomposed, email(BOB)));
    }

    /* Other clients of the store appended the events: two students have one address. */
    @Test
    void an_address_of_several_students_is_free_when_the_last_one_has_left_it() {
        StudentEmailChanged bobToAnns = new StudentEmailChanged(BOB, email(ANN), email(BOB));

        given(studentRegistered(ANN), studentRegistered(BOB), studentRegistered(CID), bobToAnns, ANN_TO_FREE)
                .when(new ChangeEmail(CID, email(ANN)))
                .thenRefused(EMAIL_TAKEN);
        given(studentRegistered(ANN), studentRegistered(BOB), studentRegistered(CID), bobToAnns, ANN_TO_FREE)
                .given(new StudentEmailChanged(BOB, email(BOB), email(ANN)))
                .when(new ChangeEmail(CID, email(ANN)))
                .thenAccepted(new StudentEmailChanged(CID, email(ANN), email(CID)));
    }

    @Test
    void an_enrollment_does_not_conflict_with_a_new_address() {
        assertThat(new EnrollStudent(ANN, MATHS, 10).facts())
                .noneMatch(fact -> fact.query()
                        .matches(new EnrollmentEventCodec().encode(ANN_TO_FREE).event()));
    }
}
