package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.DropStudent.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.DropStudent.Refused.NOT_ENROLLED;
import static dev.registrar.enrollment.DropStudent.Refused.STUDENT_UNKNOWN;

import org.junit.jupiter.api.Test;

class DropStudentTest {
    private static final DropStudent DROP_BOB = new DropStudent(BOB, MATHS);

    @Test
    void an_enrolled_student_drops_the_course() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(BOB, MATHS))
                .when(DROP_BOB)
                .thenAccepted(studentDropped(BOB, MATHS));
    }

    @Test
    void a_closed_course_can_still_be_dropped() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(BOB, MATHS), courseClosed(MATHS))
                .when(DROP_BOB)
                .thenAccepted(studentDropped(BOB, MATHS));
    }

    @Test
    void a_student_who_is_not_enrolled_cannot_drop() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB))
                .when(DROP_BOB)
                .thenRefused(NOT_ENROLLED);
    }

    @Test
    void a_student_who_has_dropped_cannot_drop_again() {
        given(
                        courseDefined(MATHS, seats(1)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MATHS),
                        studentDropped(BOB, MATHS))
                .when(DROP_BOB)
                .thenRefused(NOT_ENROLLED);
    }

    @Test
    void enrollments_of_other_students_and_in_other_courses_do_not_count() {
        given(
                        courseDefined(MATHS, seats(1)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MUSIC),
                        studentEnrolled(ANN, MATHS))
                .when(DROP_BOB)
                .thenRefused(NOT_ENROLLED);
    }

    @Test
    void an_unknown_course_is_reported_before_an_unknown_student() {
        given().when(DROP_BOB).thenRefused(COURSE_UNKNOWN);
        given(studentRegistered(BOB)).when(DROP_BOB).thenRefused(COURSE_UNKNOWN);
        given(courseDefined(MATHS, seats(1))).when(DROP_BOB).thenRefused(STUDENT_UNKNOWN);
    }
}
