package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeName.Refused.NAME_UNCHANGED;
import static dev.registrar.enrollment.ChangeName.Refused.STUDENT_UNKNOWN;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import org.junit.jupiter.api.Test;

class ChangeNameTest {
    private static final StudentName NAME = new StudentName("Ann Bremen");
    private static final StudentNameChanged CHANGED = new StudentNameChanged(ANN, NAME);

    @Test
    void a_student_gets_a_new_name_and_the_former_one_again() {
        given(studentRegistered(ANN)).when(new ChangeName(ANN, NAME)).thenAccepted(CHANGED);
        given(studentRegistered(ANN), CHANGED)
                .when(new ChangeName(ANN, new StudentName("ann")))
                .thenAccepted(new StudentNameChanged(ANN, new StudentName("ann")));
    }

    @Test
    void an_unknown_student_has_no_name() {
        given(studentRegistered(BOB)).when(new ChangeName(ANN, NAME)).thenRefused(STUDENT_UNKNOWN);
    }

    @Test
    void the_present_name_is_refused_as_no_change() {
        given(studentRegistered(ANN), CHANGED).when(new ChangeName(ANN, NAME)).thenRefused(NAME_UNCHANGED);
    }

    /* Another client of the store appended the event. */
    @Test
    void a_name_before_the_registration_is_ignored() {
        given(CHANGED, studentRegistered(ANN)).when(new ChangeName(ANN, NAME)).thenAccepted(CHANGED);
    }

    @Test
    void an_enrollment_does_not_conflict_with_a_new_name() {
        assertThat(new EnrollStudent(ANN, MATHS, 10).facts())
                .noneMatch(fact -> fact.query()
                        .matches(new EnrollmentEventCodec().encode(CHANGED).event()));
    }
}
