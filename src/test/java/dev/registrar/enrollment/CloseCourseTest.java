package dev.registrar.enrollment;

import static dev.registrar.enrollment.CloseCourse.Refused.COURSE_ALREADY_CLOSED;
import static dev.registrar.enrollment.CloseCourse.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;

import org.junit.jupiter.api.Test;

class CloseCourseTest {

    @Test
    void an_open_course_with_students_can_be_closed() {
        given(courseDefined(MATHS, seats(1)), studentEnrolled(ANN, MATHS))
                .when(new CloseCourse(MATHS))
                .thenAccepted(courseClosed(MATHS));
    }

    @Test
    void an_unknown_course_cannot_be_closed() {
        given(courseDefined(MUSIC, seats(1))).when(new CloseCourse(MATHS)).thenRefused(COURSE_UNKNOWN);
    }

    @Test
    void a_course_can_be_closed_once() {
        given(courseDefined(MATHS, seats(1)), courseClosed(MATHS))
                .when(new CloseCourse(MATHS))
                .thenRefused(COURSE_ALREADY_CLOSED);
    }

    @Test
    void another_course_stays_open() {
        given(courseDefined(MATHS, seats(1)), courseDefined(MUSIC, seats(1)), courseClosed(MATHS))
                .when(new CloseCourse(MUSIC))
                .thenAccepted(courseClosed(MUSIC));
    }
}
