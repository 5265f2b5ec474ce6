package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.capacityChanged;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.prerequisitesChanged;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static dev.registrar.enrollment.JoinWaitingList.Refused.ALREADY_ENROLLED;
import static dev.registrar.enrollment.JoinWaitingList.Refused.ALREADY_WAITING;
import static dev.registrar.enrollment.JoinWaitingList.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.JoinWaitingList.Refused.COURSE_NOT_FULL;
import static dev.registrar.enrollment.JoinWaitingList.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.JoinWaitingList.Refused.OUTSIDE_ENROLLMENT_WINDOW;
import static dev.registrar.enrollment.JoinWaitingList.Refused.PREREQUISITE_MISSING;
import static dev.registrar.enrollment.JoinWaitingList.Refused.STUDENT_AT_WAITING_LIMIT;
import static dev.registrar.enrollment.JoinWaitingList.Refused.STUDENT_UNKNOWN;
import static dev.registrar.enrollment.JoinWaitingList.Refused.WAITING_LIST_FULL;

import dev.registrar.decision.testkit.Scenario;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JoinWaitingListTest {
    private static final Instant CLOSES = Instant.parse("2030-03-15T20:00:00Z");
    private static final JoinWaitingList JOIN = new JoinWaitingList(BOB, MATHS);

    @Test
    void a_student_can_wait_for_a_full_course() {
        full().when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
    }

    @Test
    void a_student_cannot_wait_for_a_course_with_a_free_seat() {
        full().given(studentDropped(ANN, MATHS)).when(JOIN).thenRefused(COURSE_NOT_FULL);
    }

    @Test
    void a_student_joins_the_list_behind_others_even_if_a_seat_is_free() {
        Scenario<EnrollmentEvent> free = full().given(studentWaits(CID, MATHS), studentDropped(ANN, MATHS));

        free.when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
        free.given(studentWaitsNoMore(CID, MATHS)).when(JOIN).thenRefused(COURSE_NOT_FULL);
    }

    @Test
    void a_student_who_lacks_a_prerequisite_cannot_wait() {
        Scenario<EnrollmentEvent> required = full().given(prerequisitesChanged(MATHS, MUSIC));

        required.when(JOIN).thenRefused(PREREQUISITE_MISSING);
        required.given(studentEnrolled(BOB, MUSIC)).when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
    }

    @Test
    void a_student_can_wait_for_a_course_once() {
        full().given(studentWaits(BOB, MATHS)).when(JOIN).thenRefused(ALREADY_WAITING);
        full().given(studentWaits(BOB, MUSIC)).when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
        full().given(studentWaits(BOB, MATHS), studentWaitsNoMore(BOB, MATHS))
                .when(JOIN)
                .thenAccepted(studentWaits(BOB, MATHS));
    }

    @Test
    void a_student_who_dropped_a_promoted_seat_may_wait_again() {
        full().given(
                        studentWaits(BOB, MATHS),
                        studentDropped(ANN, MATHS),
                        studentEnrolled(BOB, MATHS),
                        studentWaitsNoMore(BOB, MATHS),
                        studentDropped(BOB, MATHS),
                        studentEnrolled(ANN, MATHS))
                .when(JOIN)
                .thenAccepted(studentWaits(BOB, MATHS));
    }

    @Test
    void at_most_10_000_students_wait_for_a_course() {
        Scenario<EnrollmentEvent> almost = full().given(IntStream.range(1, 10_000)
                .mapToObj(i -> studentWaits(new StudentId("student" + i), MATHS))
                .toArray(EnrollmentEvent[]::new));

        almost.when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
        almost.given(studentWaits(CID, MATHS)).when(JOIN).thenRefused(WAITING_LIST_FULL);
    }

    @Test
    void a_student_waits_for_at_most_100_courses() {
        Scenario<EnrollmentEvent> almost = full().given(IntStream.range(1, 100)
                .mapToObj(i -> studentWaits(BOB, new CourseId("course" + i)))
                .toArray(EnrollmentEvent[]::new));

        almost.when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
        almost.given(studentWaits(BOB, MUSIC)).when(JOIN).thenRefused(STUDENT_AT_WAITING_LIMIT);
    }

    /* At first every rule refuses. Each step fixes the reported reason, so that the next reason is reported. */
    @Test
    void the_first_of_several_reasons_is_reported() {
        EnrollmentWindow shut = new EnrollmentWindow(null, CLOSES);
        Scenario<EnrollmentEvent> now = given().at(CLOSES);

        now.when(JOIN).thenRefused(COURSE_UNKNOWN);
        now = now.given(courseDefined(MATHS, seats(1), shut), courseClosed(MATHS));
        now.when(JOIN).thenRefused(STUDENT_UNKNOWN);
        now = now.given(studentRegistered(BOB), studentWaits(BOB, MATHS), studentEnrolled(BOB, MATHS));
        now.when(JOIN).thenRefused(ALREADY_ENROLLED);
        now = now.given(studentDropped(BOB, MATHS));
        now.when(JOIN).thenRefused(ALREADY_WAITING);
        now = now.given(studentWaitsNoMore(BOB, MATHS));
        now.when(JOIN).thenRefused(COURSE_CLOSED);

        Scenario<EnrollmentEvent> reopened = given(courseDefined(MATHS, seats(1), shut), studentRegistered(BOB))
                .at(CLOSES);
        reopened.when(JOIN).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
        reopened = reopened.at(CLOSES.minusNanos(1));
        reopened.when(JOIN).thenRefused(COURSE_NOT_FULL);
        reopened = reopened.given(studentEnrolled(ANN, MATHS));
        reopened.when(JOIN).thenAccepted(studentWaits(BOB, MATHS));
        reopened.given(capacityChanged(MATHS, seats(2))).when(JOIN).thenRefused(COURSE_NOT_FULL);
    }

    /** Ann has the only seat of Maths, and Bob is registered. */
    private static Scenario<EnrollmentEvent> full() {
        return given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS));
    }
}
