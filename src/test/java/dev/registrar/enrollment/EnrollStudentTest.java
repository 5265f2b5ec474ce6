package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.capacityChanged;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.prerequisitesChanged;
import static dev.registrar.enrollment.CourseOffice.requires;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentTier;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static dev.registrar.enrollment.EnrollStudent.Refused.ALREADY_ENROLLED;
import static dev.registrar.enrollment.EnrollStudent.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollStudent.Refused.COURSE_FULL;
import static dev.registrar.enrollment.EnrollStudent.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.EnrollStudent.Refused.OUTSIDE_ENROLLMENT_WINDOW;
import static dev.registrar.enrollment.EnrollStudent.Refused.PREREQUISITE_MISSING;
import static dev.registrar.enrollment.EnrollStudent.Refused.STUDENT_AT_LIMIT;
import static dev.registrar.enrollment.EnrollStudent.Refused.STUDENT_UNKNOWN;
import static dev.registrar.enrollment.EnrollStudent.Refused.WAITING_LIST_NOT_EMPTY;

import dev.registrar.decision.testkit.Scenario;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnrollStudentTest {
    private static final Instant OPENS = Instant.parse("2030-03-01T08:00:00Z");
    private static final Instant CLOSES = Instant.parse("2030-03-15T20:00:00Z");

    @Test
    void a_student_takes_a_free_seat() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void an_unknown_course_refuses_students() {
        given(courseDefined(MUSIC, seats(1)), studentRegistered(BOB))
                .when(enroll(BOB))
                .thenRefused(COURSE_UNKNOWN);
    }

    @Test
    void an_unknown_student_is_not_enrolled() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(ANN))
                .when(enroll(BOB))
                .thenRefused(STUDENT_UNKNOWN);
    }

    @Test
    void a_student_can_enroll_in_a_course_once() {
        given(courseDefined(MATHS, seats(2)), studentRegistered(BOB), studentEnrolled(BOB, MATHS))
                .when(enroll(BOB))
                .thenRefused(ALREADY_ENROLLED);
    }

    @Test
    void a_student_who_dropped_a_course_may_enroll_again() {
        given(
                        courseDefined(MATHS, seats(1)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MATHS),
                        studentDropped(BOB, MATHS))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_student_who_has_enrolled_again_is_enrolled() {
        given(
                        courseDefined(MATHS, seats(2)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MATHS),
                        studentDropped(BOB, MATHS),
                        studentEnrolled(BOB, MATHS))
                .when(enroll(BOB))
                .thenRefused(ALREADY_ENROLLED);
    }

    @Test
    void a_closed_course_refuses_students() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), courseClosed(MATHS))
                .when(enroll(BOB))
                .thenRefused(COURSE_CLOSED);
    }

    @Test
    void a_full_course_refuses_the_next_student() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
                .when(enroll(BOB))
                .thenRefused(COURSE_FULL);
    }

    @Test
    void a_student_takes_the_last_seat() {
        given(courseDefined(MATHS, seats(2)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_dropped_seat_can_be_taken_once() {
        Scenario<EnrollmentEvent> afterAnnDropped = given(
                courseDefined(MATHS, seats(1)),
                studentRegistered(BOB),
                studentEnrolled(ANN, MATHS),
                studentDropped(ANN, MATHS));

        afterAnnDropped.when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        afterAnnDropped.given(studentEnrolled(CID, MATHS)).when(enroll(BOB)).thenRefused(COURSE_FULL);
    }

    @Test
    void seats_of_another_course_do_not_count() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MUSIC))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void the_last_change_of_the_capacity_counts() {
        Scenario<EnrollmentEvent> full =
                given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS));
        Scenario<EnrollmentEvent> grown = full.given(capacityChanged(MATHS, seats(2)));

        grown.when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        grown.given(capacityChanged(MATHS, seats(1))).when(enroll(BOB)).thenRefused(COURSE_FULL);
    }

    @Test
    void a_student_can_enroll_in_courses_up_to_the_limit() {
        Scenario<EnrollmentEvent> almost = inCourses(9);

        almost.when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        almost.given(studentEnrolled(BOB, MUSIC)).when(enroll(BOB)).thenRefused(STUDENT_AT_LIMIT);
    }

    @Test
    void the_command_carries_the_limit() {
        inCourses(2).when(new EnrollStudent(BOB, MATHS, 2)).thenRefused(STUDENT_AT_LIMIT);
        inCourses(2).when(new EnrollStudent(BOB, MATHS, 3)).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_dropped_course_does_not_count_towards_the_limit() {
        inCourses(10)
                .given(studentDropped(BOB, new CourseId("course0")))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void another_students_courses_do_not_count_towards_the_limit() {
        inCourses(10).given(studentRegistered(ANN)).when(enroll(ANN)).thenAccepted(studentEnrolled(ANN, MATHS));
    }

    /* The setting allows one course. */
    @ParameterizedTest
    @EnumSource
    void a_tier_overrides_the_limit_of_the_setting(Tier tier) {
        EnrollStudent command = new EnrollStudent(BOB, MATHS, 1);

        inCourses(tier.courses() - 1)
                .given(studentTier(BOB, tier))
                .when(command)
                .thenAccepted(studentEnrolled(BOB, MATHS));
        inCourses(tier.courses()).given(studentTier(BOB, tier)).when(command).thenRefused(STUDENT_AT_LIMIT);
        inCourses(tier.courses())
                .given(studentTier(ANN, Tier.MASTER))
                .when(command)
                .thenRefused(STUDENT_AT_LIMIT);
    }

    @Test
    void the_last_change_of_the_tier_counts() {
        Scenario<EnrollmentEvent> raised =
                inCourses(2).given(studentTier(BOB, Tier.BASIC), studentTier(BOB, Tier.STANDARD));

        raised.when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        raised.given(studentTier(BOB, Tier.BASIC)).when(enroll(BOB)).thenRefused(STUDENT_AT_LIMIT);
    }

    @Test
    void a_student_above_the_limit_of_a_lowered_tier_must_drop_courses_first() {
        Scenario<EnrollmentEvent> above = inCourses(3).given(studentTier(BOB, Tier.BASIC));

        above.when(enroll(BOB)).thenRefused(STUDENT_AT_LIMIT);
        above.given(studentDropped(BOB, new CourseId("course0")))
                .when(enroll(BOB))
                .thenRefused(STUDENT_AT_LIMIT);
        above.given(studentDropped(BOB, new CourseId("course0")), studentDropped(BOB, new CourseId("course1")))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_student_must_be_enrolled_in_all_prerequisites() {
        Scenario<EnrollmentEvent> required = given(
                courseDefined(MATHS, requires(MUSIC, LATIN)), studentRegistered(BOB), studentEnrolled(ANN, LATIN));

        required.when(enroll(BOB)).thenRefused(PREREQUISITE_MISSING);
        Scenario<EnrollmentEvent> half = required.given(studentEnrolled(BOB, MUSIC));
        half.when(enroll(BOB)).thenRefused(PREREQUISITE_MISSING);
        half.given(studentEnrolled(BOB, LATIN)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void an_enrollment_in_a_closed_prerequisite_counts_and_a_dropped_one_does_not() {
        Scenario<EnrollmentEvent> taken =
                given(courseDefined(MATHS, requires(MUSIC)), studentRegistered(BOB), studentEnrolled(BOB, MUSIC));

        taken.given(courseClosed(MUSIC)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        taken.given(studentDropped(BOB, MUSIC)).when(enroll(BOB)).thenRefused(PREREQUISITE_MISSING);
    }

    @Test
    void the_last_change_of_the_prerequisites_counts() {
        Scenario<EnrollmentEvent> changed = given(
                courseDefined(MATHS, requires(MUSIC)), studentRegistered(BOB), prerequisitesChanged(MATHS, LATIN));

        changed.given(studentEnrolled(BOB, MUSIC)).when(enroll(BOB)).thenRefused(PREREQUISITE_MISSING);
        changed.given(studentEnrolled(BOB, LATIN)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        changed.given(prerequisitesChanged(MATHS)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void indirect_prerequisites_do_not_count() {
        given(
                        courseDefined(MUSIC, requires(LATIN)),
                        courseDefined(MATHS, requires(MUSIC)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MUSIC))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void the_window_includes_its_start_and_excludes_its_end() {
        Scenario<EnrollmentEvent> scenario = window(OPENS, CLOSES);

        scenario.at(OPENS.minusNanos(1)).when(enroll(BOB)).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
        scenario.at(OPENS).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        scenario.at(CLOSES.minusNanos(1)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        scenario.at(CLOSES).when(enroll(BOB)).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
    }

    @Test
    void a_window_may_be_open_at_either_end() {
        window(OPENS, null).at(Instant.MAX).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        window(OPENS, null).at(OPENS.minusNanos(1)).when(enroll(BOB)).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
        window(null, CLOSES).at(Instant.MIN).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
        window(null, CLOSES).at(CLOSES).when(enroll(BOB)).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
    }

    @Test
    void no_student_can_enroll_ahead_of_the_waiting_list() {
        Scenario<EnrollmentEvent> free = given(
                courseDefined(MATHS, seats(2)),
                studentRegistered(BOB),
                studentEnrolled(ANN, MATHS),
                studentWaits(CID, MATHS));

        free.when(enroll(BOB)).thenRefused(WAITING_LIST_NOT_EMPTY);
        free.given(studentWaits(BOB, MATHS)).when(enroll(BOB)).thenRefused(WAITING_LIST_NOT_EMPTY);
        free.given(capacityChanged(MATHS, seats(1))).when(enroll(BOB)).thenRefused(WAITING_LIST_NOT_EMPTY);
        free.given(studentWaitsNoMore(CID, MATHS)).when(enroll(BOB)).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void the_waiting_list_of_another_course_does_not_count() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentWaits(CID, MUSIC))
                .when(enroll(BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    /* At first every rule refuses. Each step fixes the reported reason, so that the next reason is reported. */
    @Test
    void the_first_of_several_reasons_is_reported() {
        EnrollStudent command = new EnrollStudent(BOB, MATHS, 1);
        EnrollmentWindow shut = new EnrollmentWindow(null, CLOSES);
        Scenario<EnrollmentEvent> now = given().at(CLOSES);

        now.when(command).thenRefused(COURSE_UNKNOWN);
        now = now.given(courseDefined(MATHS, seats(1), shut), courseClosed(MATHS));
        now.when(command).thenRefused(STUDENT_UNKNOWN);
        now = now.given(studentRegistered(BOB), studentEnrolled(BOB, MUSIC), studentEnrolled(BOB, MATHS));
        now.when(command).thenRefused(ALREADY_ENROLLED);
        now = now.given(studentDropped(BOB, MATHS), studentEnrolled(ANN, MATHS));
        now.when(command).thenRefused(COURSE_CLOSED);

        Scenario<EnrollmentEvent> reopened = given(
                        courseDefined(MATHS, seats(1), shut),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MUSIC),
                        studentEnrolled(ANN, MATHS))
                .at(CLOSES);
        reopened.when(command).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
        reopened = reopened.at(CLOSES.minusNanos(1)).given(studentWaits(CID, MATHS));
        reopened.given(prerequisitesChanged(MATHS, LATIN)).when(command).thenRefused(PREREQUISITE_MISSING);
        reopened.when(command).thenRefused(WAITING_LIST_NOT_EMPTY);
        reopened = reopened.given(studentWaitsNoMore(CID, MATHS));
        reopened.when(command).thenRefused(COURSE_FULL);
        reopened = reopened.given(capacityChanged(MATHS, seats(2)));
        reopened.when(command).thenRefused(STUDENT_AT_LIMIT);
        reopened = reopened.given(studentDropped(BOB, MUSIC));
        reopened.when(command).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    private static EnrollStudent enroll(StudentId student) {
        return new EnrollStudent(student, MATHS, 10);
    }

    /** Bob is registered and enrolled in a number of courses; Maths has free seats. */
    private static Scenario<EnrollmentEvent> inCourses(int courses) {
        Scenario<EnrollmentEvent> scenario = given(courseDefined(MATHS, seats(100)), studentRegistered(BOB));
        for (int i = 0; i < courses; i++) {
            scenario = scenario.given(studentEnrolled(BOB, new CourseId("course" + i)));
        }
        return scenario;
    }

    private static Scenario<EnrollmentEvent> window(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        return given(courseDefined(MATHS, seats(1), new EnrollmentWindow(opensAt, closesAt)), studentRegistered(BOB));
    }
}
