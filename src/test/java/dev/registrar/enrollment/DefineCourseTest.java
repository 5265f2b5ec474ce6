package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.requires;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.title;
import static dev.registrar.enrollment.DefineCourse.Refused.COURSE_ID_TAKEN;
import static dev.registrar.enrollment.DefineCourse.Refused.PREREQUISITE_CYCLE;
import static dev.registrar.enrollment.DefineCourse.Refused.PREREQUISITE_UNDEFINED;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class DefineCourseTest {

    @Test
    void a_course_is_defined_under_a_free_id() {
        given(courseDefined(MUSIC, seats(1)))
                .when(define(MATHS, EnrollmentWindow.ALWAYS))
                .thenAccepted(courseDefined(MATHS, seats(30)));
    }

    @Test
    void a_course_is_defined_with_its_enrollment_window() {
        EnrollmentWindow window =
                new EnrollmentWindow(Instant.parse("2030-01-01T00:00:00Z"), Instant.parse("2030-02-01T00:00:00.5Z"));

        given().when(define(MATHS, window)).thenAccepted(courseDefined(MATHS, seats(30), window));
    }

    @Test
    void a_course_id_can_be_used_once() {
        given(courseDefined(MATHS, seats(1)))
                .when(define(MATHS, EnrollmentWindow.ALWAYS))
                .thenRefused(COURSE_ID_TAKEN);
    }

    @Test
    void a_closed_course_keeps_its_id() {
        given(courseDefined(MATHS, seats(1)), courseClosed(MATHS))
                .when(define(MATHS, EnrollmentWindow.ALWAYS))
                .thenRefused(COURSE_ID_TAKEN);
    }

    @Test
    void ids_are_case_sensitive() {
        CourseId upper = new CourseId("MATHS");

        given(courseDefined(MATHS, seats(1)))
                .when(define(upper, EnrollmentWindow.ALWAYS))
                .thenAccepted(courseDefined(upper, seats(30)));
    }

    @Test
    void a_course_is_defined_with_prerequisites() {
        given(courseDefined(MUSIC, seats(1)))
                .when(define(MATHS, requires(MUSIC)))
                .thenAccepted(courseDefined(MATHS, requires(MUSIC)));
        given(courseDefined(MUSIC, seats(1)), courseClosed(MUSIC))
                .when(define(MATHS, requires(MUSIC)))
                .thenAccepted(courseDefined(MATHS, requires(MUSIC)));
    }

    @Test
    void a_prerequisite_must_be_another_course_defined_before() {
        given().when(define(MATHS, requires(MUSIC))).thenRefused(PREREQUISITE_UNDEFINED);
        given().when(define(MATHS, requires(MATHS))).thenRefused(PREREQUISITE_CYCLE);
        given(courseDefined(MATHS, seats(1)))
                .when(define(MATHS, requires(MATHS)))
                .thenRefused(COURSE_ID_TAKEN);
    }

    private static DefineCourse define(CourseId course, Prerequisites prerequisites) {
        return new DefineCourse(course, title(course), seats(1), EnrollmentWindow.ALWAYS, prerequisites);
    }

    private static DefineCourse define(CourseId course, EnrollmentWindow window) {
        return new DefineCourse(course, title(course), seats(30), window);
    }
}
