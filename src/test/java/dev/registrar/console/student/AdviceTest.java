package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.student.Advice.Situation;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sentences for refused commands of a student. */
class AdviceTest {
    private static final Situation MATHS = new Situation("Maths", "ann", "from May on", "Algebra, Logic");

    static Stream<Refusal> refusals() {
        return Stream.<Refusal[]>of(
                        EnrollStudent.Refused.values(),
                        DropStudent.Refused.values(),
                        JoinWaitingList.Refused.values(),
                        LeaveWaitingList.Refused.values())
                .flatMap(Stream::of);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void each_refusal_of_a_student_has_a_reason_and_an_advice(Refusal refusal) {
        assertThat(Advice.on(refusal, MATHS))
                .as(refusal.code())
                .get()
                .asString()
                .matches("[A-Z][^.]+\\. ?[^.]*\\.")
                .doesNotContain(refusal.code(), "null", "%");
    }

    @Test
    void an_advice_names_missing_courses_and_the_enrollment_period() {
        assertThat(Advice.on(EnrollStudent.Refused.PREREQUISITE_MISSING, MATHS))
                .get()
                .asString()
                .endsWith("Enroll in them first: Algebra, Logic.");
        assertThat(Advice.on(JoinWaitingList.Refused.OUTSIDE_ENROLLMENT_WINDOW, MATHS))
                .get()
                .asString()
                .endsWith("Enroll in its enrollment period: from May on.");
    }

    @Test
    void a_refusal_without_advice_is_reported_as_such() {
        assertThat(Advice.on(() -> "MOON_IN_THE_WRONG_PHASE", MATHS)).isEqualTo(Optional.empty());
    }
}
