package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.RETAKES;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.prerequisitesChanged;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentEnrolledByOverride;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentTier;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static dev.registrar.enrollment.EnrollByOverride.Refused.ALREADY_ENROLLED;
import static dev.registrar.enrollment.EnrollByOverride.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollByOverride.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.EnrollByOverride.Refused.STUDENT_UNKNOWN;

import dev.registrar.decision.testkit.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class EnrollByOverrideTest {
    private static final StudentId FIRST = new StudentId("first");
    private static final EnrollByOverride ADMIT_BOB = new EnrollByOverride(BOB, MATHS, RETAKES);

    /** Histories after which each rule of an ordinary enrollment refuses Bob. */
    static final List<Scenario<EnrollmentEvent>> AGAINST_A_RULE = List.of(
            past(studentEnrolled(ANN, MATHS)),
            past(studentEnrolledByOverride(ANN, MATHS)),
            past(studentWaits(ANN, MATHS)),
            past(prerequisitesChanged(MATHS, MUSIC)),
            past(studentTier(BOB, Tier.BASIC), studentEnrolled(BOB, MUSIC), studentEnrolled(BOB, LATIN)),
            given(
                    courseDefined(MATHS, seats(1), new EnrollmentWindow(EnrollmentWindow.LATEST, null)),
                    studentRegistered(BOB)),
            given(
                    courseDefined(MATHS, seats(1), new EnrollmentWindow(null, EnrollmentWindow.EARLIEST)),
                    studentRegistered(BOB)));

    /** A course with one seat, and Bob. */
    private static Scenario<EnrollmentEvent> past(EnrollmentEvent... events) {
        return given(courseDefined(MATHS, seats(1)), studentRegistered(BOB)).given(events);
    }

    @ParameterizedTest
    @FieldSource("AGAINST_A_RULE")
    void no_rule_keeps_a_student_out(Scenario<EnrollmentEvent> history) {
        history.when(ADMIT_BOB).thenAccepted(studentEnrolledByOverride(BOB, MATHS));
    }

    @Test
    void a_student_with_a_free_seat_is_enrolled_by_override_too() {
        past().when(ADMIT_BOB).thenAccepted(studentEnrolledByOverride(BOB, MATHS));
    }

    @Test
    void a_student_who_waits_leaves_the_waiting_list() {
        past(studentEnrolled(ANN, MATHS), studentWaits(BOB, MATHS), studentWaits(BOB, MUSIC))
                .when(ADMIT_BOB)
                .thenAccepted(studentEnrolledByOverride(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
        past(studentWaits(BOB, MATHS), studentWaitsNoMore(BOB, MATHS))
                .when(ADMIT_BOB)
                .thenAccepted(studentEnrolledByOverride(BOB, MATHS));
    }

    @Test
    void what_does_not_exist_or_is_closed_is_refused() {
        given(studentRegistered(BOB)).when(ADMIT_BOB).thenRefused(COURSE_UNKNOWN);
        given(courseDefined(MATHS, seats(1))).when(ADMIT_BOB).thenRefused(STUDENT_UNKNOWN);
        past(courseClosed(MATHS)).when(ADMIT_BOB).thenRefused(COURSE_CLOSED);
    }

    @Test
    void an_enrolled_student_is_refused() {
        past(studentEnrolled(BOB, MATHS)).when(ADMIT_BOB).thenRefused(ALREADY_ENROLLED);
        past(studentEnrolledByOverride(BOB, MATHS), courseClosed(MATHS))
                .when(ADMIT_BOB)
                .thenRefused(ALREADY_ENROLLED);
    }

    @Test
    void a_student_by_override_is_enrolled_as_any_other() {
        Scenario<EnrollmentEvent> admitted = given(courseDefined(MUSIC, seats(1)))
                .given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentRegistered(ANN))
                .given(studentEnrolledByOverride(BOB, MATHS));

        admitted.when(new EnrollStudent(BOB, MATHS, 10)).thenRefused(EnrollStudent.Refused.ALREADY_ENROLLED);
        admitted.when(new EnrollStudent(ANN, MATHS, 10)).thenRefused(EnrollStudent.Refused.COURSE_FULL);
        admitted.when(new EnrollStudent(BOB, MUSIC, 1)).thenRefused(EnrollStudent.Refused.STUDENT_AT_LIMIT);
        admitted.when(new JoinWaitingList(BOB, MATHS)).thenRefused(JoinWaitingList.Refused.ALREADY_ENROLLED);
        admitted.when(new JoinWaitingList(ANN, MATHS)).thenAccepted(studentWaits(ANN, MATHS));
        admitted.when(new DropStudent(BOB, MATHS)).thenAccepted(studentDropped(BOB, MATHS));
        admitted.when(new SwapCourse(BOB, MUSIC, MATHS, 1))
                .thenAccepted(studentDropped(BOB, MATHS), studentEnrolled(BOB, MUSIC));
        admitted.when(new CloseCourse(MATHS)).thenAccepted(courseClosed(MATHS));
        admitted.given(prerequisitesChanged(MUSIC, MATHS))
                .when(new EnrollStudent(BOB, MUSIC, 10))
                .thenAccepted(studentEnrolled(BOB, MUSIC));
        Scenario<EnrollmentEvent> dropped = admitted.given(studentDropped(BOB, MATHS));
        dropped.when(new EnrollStudent(BOB, MATHS, 10)).thenAccepted(studentEnrolled(BOB, MATHS));
        dropped.when(ADMIT_BOB).thenAccepted(studentEnrolledByOverride(BOB, MATHS));
    }

    @Test
    void a_drop_beyond_the_seats_frees_none() {
        Scenario<EnrollmentEvent> twoOfOne = given(courseDefined(MATHS, seats(1)), studentRegistered(ANN))
                .given(studentRegistered(BOB), studentEnrolled(FIRST, MATHS))
                .given(studentEnrolledByOverride(BOB, MATHS), studentDropped(BOB, MATHS));

        twoOfOne.when(new EnrollStudent(ANN, MATHS, 10)).thenRefused(EnrollStudent.Refused.COURSE_FULL);
        twoOfOne.given(studentDropped(FIRST, MATHS))
                .when(new EnrollStudent(ANN, MATHS, 10))
                .thenAccepted(studentEnrolled(ANN, MATHS));
    }
}
