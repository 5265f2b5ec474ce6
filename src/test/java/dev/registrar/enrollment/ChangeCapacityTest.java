package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeCapacity.Refused.CAPACITY_BELOW_ENROLLED;
import static dev.registrar.enrollment.ChangeCapacity.Refused.CAPACITY_UNCHANGED;
import static dev.registrar.enrollment.ChangeCapacity.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.ChangeCapacity.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.capacityChanged;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentEnrolledByOverride;

import dev.registrar.decision.testkit.Scenario;
import org.junit.jupiter.api.Test;

class ChangeCapacityTest {

    @Test
    void the_capacity_grows_and_shrinks() {
        given(courseDefined(MATHS, seats(12))).when(to(13)).thenAccepted(capacityChanged(MATHS, seats(13)));
        given(courseDefined(MATHS, seats(12))).when(to(11)).thenAccepted(capacityChanged(MATHS, seats(11)));
    }

    @Test
    void an_unknown_course_has_no_capacity() {
        given(courseDefined(MUSIC, seats(12))).when(to(13)).thenRefused(COURSE_UNKNOWN);
    }

    @Test
    void the_present_capacity_is_refused_as_no_change() {
        given(courseDefined(MATHS, seats(12))).when(to(12)).thenRefused(CAPACITY_UNCHANGED);
    }

    @Test
    void the_last_change_counts() {
        given(courseDefined(MATHS, seats(12)), capacityChanged(MATHS, seats(15)))
                .when(to(15))
                .thenRefused(CAPACITY_UNCHANGED);
        given(courseDefined(MATHS, seats(12)), capacityChanged(MATHS, seats(15)))
                .when(to(12))
                .thenAccepted(capacityChanged(MATHS, seats(12)));
    }

    @Test
    void a_capacity_below_the_enrolled_students_is_refused() {
        given(courseDefined(MATHS, seats(3)), studentEnrolled(ANN, MATHS), studentEnrolled(BOB, MATHS))
                .when(to(1))
                .thenRefused(CAPACITY_BELOW_ENROLLED);
    }

    @Test
    void a_course_with_more_students_than_seats_gets_more_seats_and_not_fewer() {
        Scenario<EnrollmentEvent> overbooked = given(
                courseDefined(MATHS, seats(2)),
                studentEnrolled(ANN, MATHS),
                studentEnrolled(BOB, MATHS),
                studentEnrolledByOverride(CID, MATHS),
                studentEnrolledByOverride(new StudentId("dee"), MATHS));

        overbooked.when(to(3)).thenAccepted(capacityChanged(MATHS, seats(3)));
        overbooked.when(to(4)).thenAccepted(capacityChanged(MATHS, seats(4)));
        overbooked.when(to(2)).thenRefused(CAPACITY_UNCHANGED);
        overbooked.when(to(1)).thenRefused(CAPACITY_BELOW_ENROLLED);
    }

    @Test
    void a_capacity_equal_to_the_enrolled_students_is_accepted() {
        given(courseDefined(MATHS, seats(3)), studentEnrolled(ANN, MATHS), studentEnrolled(BOB, MATHS))
                .when(to(2))
                .thenAccepted(capacityChanged(MATHS, seats(2)));
    }

    @Test
    void dropped_students_and_those_of_other_courses_do_not_count() {
        given(
                        courseDefined(MATHS, seats(3)),
                        studentEnrolled(ANN, MATHS),
                        studentEnrolled(BOB, MATHS),
                        studentDropped(ANN, MATHS),
                        studentEnrolled(ANN, MUSIC))
                .when(to(1))
                .thenAccepted(capacityChanged(MATHS, seats(1)));
    }

    @Test
    void the_capacity_of_a_closed_course_cannot_change() {
        for (int capacity : new int[] {1, 4}) {
            closed().when(to(capacity)).thenRefused(COURSE_CLOSED);
        }
    }

    @Test
    void the_present_capacity_of_a_closed_course_is_no_change() {
        closed().when(to(3)).thenRefused(CAPACITY_UNCHANGED);
    }

    private static Scenario<EnrollmentEvent> closed() {
        return given(
                courseDefined(MATHS, seats(3)),
                studentEnrolled(ANN, MATHS),
                studentEnrolled(BOB, MATHS),
                courseClosed(MATHS));
    }

    private static ChangeCapacity to(int seats) {
        return new ChangeCapacity(MATHS, seats(seats));
    }
}
