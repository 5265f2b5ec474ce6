package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.RegisterStudent.Refused.EMAIL_TAKEN;
import static dev.registrar.enrollment.RegisterStudent.Refused.STUDENT_ID_TAKEN;

import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import org.junit.jupiter.api.Test;

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
    void an_id_is_given_once() {
        given(studentRegistered(BOB)).when(register(BOB, "other@example.org")).thenRefused(STUDENT_ID_TAKEN);
    }

    @Test
    void an_address_belongs_to_one_student() {
        given(studentRegistered(ANN)).when(register(BOB, "ann@example.org")).thenRefused(EMAIL_TAKEN);
    }

    @Test
    void an_address_is_the_same_in_upper_and_lower_case() {
        given(studentRegistered(ANN)).when(register(BOB, "Ann@EXAMPLE.org")).thenRefused(EMAIL_TAKEN);
    }

    @Test
    void the_id_is_looked_at_before_the_address() {
        given(studentRegistered(BOB)).when(register(BOB, "bob@example.org")).thenRefused(STUDENT_ID_TAKEN);
    }

    private static RegisterStudent register(StudentId student, String email) {
        return new RegisterStudent(student, NAME, new EmailAddress(email));
    }
}
