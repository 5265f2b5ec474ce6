package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.RegisterStudent.Refused.EMAIL_TAKEN;
import static dev.registrar.enrollment.RegisterStudent.Refused.STUDENT_ID_TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegisterStudentTest {
    private static final StudentName NAME = new StudentName("Bob Béla");

    @Test
    void a_student_is_registered_under_a_free_id_and_address() {
        EmailAddress email = new EmailAddress("Bob@Example.org");

        given(studentRegistered(ANN))
                .when(new RegisterStudent(BOB, NAME, email))
                .thenAccepted(new StudentRegistered(BOB, NAME, email));
    }

    @Test
    void a_student_id_can_be_used_once() {
        given(studentRegistered(BOB)).when(register(BOB, "other@example.org")).thenRefused(STUDENT_ID_TAKEN);
    }

    @Test
    void an_address_belongs_to_one_student() {
        given(studentRegistered(ANN)).when(register(BOB, "ann@example.org")).thenRefused(EMAIL_TAKEN);
    }

    @Test
    void an_address_is_unique_regardless_of_case() {
        given(studentRegistered(ANN)).when(register(BOB, "Ann@EXAMPLE.org")).thenRefused(EMAIL_TAKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Zoe\u0308@Example.org",
                "ZO\u00CB@example.org",
                "z\u200Bo\u00EB@example.org",
                "\uFF5Ao\u00EB@example.org"
            })
    void an_address_is_unique_among_spellings_that_look_alike(String email) {
        EmailAddress first = new EmailAddress("zo\u00EB@example.org");

        given(new StudentRegistered(ANN, NAME, first))
                .when(register(BOB, email))
                .thenRefused(EMAIL_TAKEN);
    }

    @Test
    void an_address_is_stored_as_the_client_sent_it() {
        EmailAddress email = new EmailAddress("Zoe\u0308@Example.org");

        given(studentRegistered(ANN))
                .when(new RegisterStudent(BOB, NAME, email))
                .thenAccepted(new StudentRegistered(BOB, NAME, email));
    }

    /* Registrations of earlier versions have one tag: the hash of the address in lower case. */
    @Test
    void an_address_of_an_earlier_version_stays_taken() {
        // printf 'zoe\xCC\x88@example.org' | sha256sum
        Event earlier = Event.of(
                "StudentRegistered",
                "{}",
                "student:zoe",
                "email:56a0d1dcbfc1de391549cb93e34fee585645f0156b4ec1ea6685c83b2dfff03e");

        assertThat(EmailFacts.of(new EmailAddress("Zoe\u0308@example.org"))
                        .query()
                        .matches(earlier))
                .isTrue();
        assertThat(EmailFacts.of(new EmailAddress("zo\u00EB@example.org"))
                        .query()
                        .matches(earlier))
                .isFalse();
    }

    @Test
    void a_taken_id_is_reported_before_a_taken_address() {
        given(studentRegistered(BOB)).when(register(BOB, "bob@example.org")).thenRefused(STUDENT_ID_TAKEN);
    }

    private static RegisterStudent register(StudentId student, String email) {
        return new RegisterStudent(student, NAME, new EmailAddress(email));
    }
}
