package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeTitle.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.ChangeTitle.Refused.TITLE_UNCHANGED;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.title;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import org.junit.jupiter.api.Test;

class ChangeTitleTest {
    private static final CourseTitle SETS = new CourseTitle("Sets");
    private static final CourseTitleChanged CHANGED = new CourseTitleChanged(MATHS, SETS);

    @Test
    void a_course_gets_a_new_title_and_its_former_one_again() {
        given(courseDefined(MATHS, seats(1))).when(new ChangeTitle(MATHS, SETS)).thenAccepted(CHANGED);
        given(courseDefined(MATHS, seats(1)), CHANGED)
                .when(new ChangeTitle(MATHS, title(MATHS)))
                .thenAccepted(new CourseTitleChanged(MATHS, title(MATHS)));
    }

    @Test
    void a_closed_course_gets_a_new_title_too() {
        given(courseDefined(MATHS, seats(1)), courseClosed(MATHS))
                .when(new ChangeTitle(MATHS, SETS))
                .thenAccepted(CHANGED);
    }

    @Test
    void an_unknown_course_has_no_title() {
        given(courseDefined(MUSIC, seats(1))).when(new ChangeTitle(MATHS, SETS)).thenRefused(COURSE_UNKNOWN);
    }

    @Test
    void the_present_title_is_refused_as_no_change() {
        given(courseDefined(MATHS, seats(1)))
                .when(new ChangeTitle(MATHS, title(MATHS)))
                .thenRefused(TITLE_UNCHANGED);
        given(courseDefined(MATHS, seats(1)), CHANGED)
                .when(new ChangeTitle(MATHS, SETS))
                .thenRefused(TITLE_UNCHANGED);
    }

    /* Another client of the store appended the event. */
    @Test
    void a_title_before_the_definition_is_ignored() {
        given(CHANGED, courseDefined(MATHS, seats(1)))
                .when(new ChangeTitle(MATHS, SETS))
                .thenAccepted(CHANGED);
    }

    @Test
    void neither_a_title_nor_an_enrollment_conflicts_with_the_other() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();

        assertThat(new EnrollStudent(ANN, MATHS, 10).facts())
                .noneMatch(fact -> fact.query().matches(codec.encode(CHANGED).event()));
        assertThat(new ChangeTitle(MATHS, SETS).facts())
                .noneMatch(fact -> fact.query()
                        .matches(codec.encode(studentEnrolled(ANN, MATHS)).event()));
    }
}
