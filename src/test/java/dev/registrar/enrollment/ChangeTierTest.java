package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeTier.Refused.STUDENT_UNKNOWN;
import static dev.registrar.enrollment.ChangeTier.Refused.TIER_UNCHANGED;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentTier;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ChangeTierTest {

    @Test
    void the_tiers_have_the_limits_of_the_course_office() {
        assertThat(Arrays.stream(Tier.values()).map(tier -> tier.code() + " " + tier.courses()))
                .containsExactly("basic 2", "standard 5", "professional 10", "master 25");
        assertThat(Arrays.stream(Tier.values()).map(Tier::code)).containsExactly(Tier.PATTERN.split("\\|"));
    }

    @Test
    void the_tier_of_a_student_can_be_set_and_changed() {
        given(studentRegistered(ANN))
                .when(new ChangeTier(ANN, Tier.STANDARD))
                .thenAccepted(studentTier(ANN, Tier.STANDARD));
        given(studentRegistered(ANN), studentTier(ANN, Tier.STANDARD))
                .when(new ChangeTier(ANN, Tier.MASTER))
                .thenAccepted(studentTier(ANN, Tier.MASTER));
    }

    @Test
    void an_unknown_student_gets_no_tier() {
        given(studentRegistered(BOB)).when(new ChangeTier(ANN, Tier.BASIC)).thenRefused(STUDENT_UNKNOWN);
    }

    @Test
    void the_present_tier_is_refused() {
        given(studentRegistered(ANN), studentTier(ANN, Tier.MASTER), studentTier(ANN, Tier.BASIC))
                .when(new ChangeTier(ANN, Tier.BASIC))
                .thenRefused(TIER_UNCHANGED);
    }

    @Test
    void a_tier_below_the_number_of_courses_is_accepted() {
        given(
                        studentRegistered(ANN),
                        studentEnrolled(ANN, MATHS),
                        studentEnrolled(ANN, MUSIC),
                        studentEnrolled(ANN, new CourseId("latin")))
                .when(new ChangeTier(ANN, Tier.BASIC))
                .thenAccepted(studentTier(ANN, Tier.BASIC));
    }

    /* Another client of the store appended the event. */
    @Test
    void a_tier_event_before_the_registration_is_ignored() {
        given(studentTier(ANN, Tier.BASIC), studentRegistered(ANN))
                .when(new ChangeTier(ANN, Tier.BASIC))
                .thenAccepted(studentTier(ANN, Tier.BASIC));
    }
}
