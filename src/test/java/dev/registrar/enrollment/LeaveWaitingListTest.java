package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static dev.registrar.enrollment.LeaveWaitingList.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.LeaveWaitingList.Refused.NOT_WAITING;
import static dev.registrar.enrollment.LeaveWaitingList.Refused.STUDENT_UNKNOWN;

import dev.registrar.decision.testkit.Scenario;
import org.junit.jupiter.api.Test;

class LeaveWaitingListTest {
    private static final LeaveWaitingList LEAVE = new LeaveWaitingList(BOB, MATHS);

    @Test
    void a_waiting_student_leaves_the_list() {
        office().given(studentWaits(BOB, MATHS)).when(LEAVE).thenAccepted(studentWaitsNoMore(BOB, MATHS));
    }

    @Test
    void a_student_may_leave_the_list_of_a_closed_course() {
        office().given(studentWaits(BOB, MATHS), courseClosed(MATHS))
                .when(LEAVE)
                .thenAccepted(studentWaitsNoMore(BOB, MATHS));
    }

    @Test
    void a_student_who_does_not_wait_cannot_leave() {
        office().when(LEAVE).thenRefused(NOT_WAITING);
        office().given(studentWaits(BOB, MATHS), studentWaitsNoMore(BOB, MATHS))
                .when(LEAVE)
                .thenRefused(NOT_WAITING);
        office().given(studentWaits(BOB, MATHS), studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS))
                .when(LEAVE)
                .thenRefused(NOT_WAITING);
    }

    @Test
    void places_of_other_students_and_on_other_lists_do_not_count() {
        office().given(studentWaits(BOB, MUSIC), studentWaits(ANN, MATHS))
                .when(LEAVE)
                .thenRefused(NOT_WAITING);
    }

    @Test
    void an_unknown_course_is_reported_before_an_unknown_student() {
        given().when(LEAVE).thenRefused(COURSE_UNKNOWN);
        given(studentRegistered(BOB)).when(LEAVE).thenRefused(COURSE_UNKNOWN);
        given(courseDefined(MATHS, seats(1))).when(LEAVE).thenRefused(STUDENT_UNKNOWN);
    }

    private static Scenario<EnrollmentEvent> office() {
        return given(courseDefined(MATHS, seats(1)), studentRegistered(BOB));
    }
}
