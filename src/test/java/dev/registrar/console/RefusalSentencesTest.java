package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EraseStudent;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.SwapCourse;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.ResourceBundleMessageSource;

/** The sentences for refused commands, in {@code messages.properties}. */
class RefusalSentencesTest {
    private final ResourceBundleMessageSource messages = new ResourceBundleMessageSource();

    RefusalSentencesTest() {
        messages.setBasename("messages");
        messages.setDefaultEncoding("UTF-8");
    }

    static Stream<Refusal> ofStudent() {
        return Stream.<Refusal[]>of(
                        EnrollStudent.Refused.values(),
                        SwapCourse.Refused.values(),
                        DropStudent.Refused.values(),
                        JoinWaitingList.Refused.values(),
                        LeaveWaitingList.Refused.values())
                .flatMap(Stream::of);
    }

    static Stream<Refusal> ofOffice() {
        return Stream.<Refusal[]>of(
                        DefineCourse.Refused.values(),
                        ChangeTitle.Refused.values(),
                        ChangeCapacity.Refused.values(),
                        ChangeWindow.Refused.values(),
                        ChangePrerequisites.Refused.values(),
                        ChangeTimes.Refused.values(),
                        CloseCourse.Refused.values(),
                        EnrollByOverride.Refused.values(),
                        EnrollStudent.Refused.values(),
                        SwapCourse.Refused.values(),
                        DropStudent.Refused.values(),
                        LeaveWaitingList.Refused.values(),
                        RegisterStudent.Refused.values(),
                        ChangeName.Refused.values(),
                        ChangeEmail.Refused.values(),
                        ChangeTier.Refused.values(),
                        EraseStudent.Refused.values())
                .flatMap(Stream::of);
    }

    private String sentence(String key, Object... values) {
        return messages.getMessage(key, values, Locale.ENGLISH);
    }

    @ParameterizedTest
    @MethodSource("ofStudent")
    void each_refusal_of_a_student_has_a_reason_and_an_advice(Refusal refusal) {
        assertThat(sentence("student." + refusal.code(), "Maths", "ann", ": from May on", ": Algebra, Logic"))
                .matches("[A-Z][^.]+\\. ?[^.]*\\.")
                .doesNotContain(refusal.code(), "null", "{", "''");
    }

    @ParameterizedTest
    @MethodSource("ofOffice")
    void each_refusal_of_the_office_repeats_its_explanation_and_says_what_to_do(Refusal refusal) {
        assertThat(sentence("refused." + refusal.code(), "Maths is {full}"))
                .startsWith("Maths is {full}")
                .matches("[^.]+[.,] [^.]+\\..*")
                .doesNotContain("''");
    }

    static Stream<Refusal> ofAll() {
        return Stream.concat(ofStudent(), ofOffice());
    }

    @ParameterizedTest
    @MethodSource("ofAll")
    void each_refusal_has_a_reason_that_names_no_one(Refusal refusal) {
        assertThat(sentence("reason." + refusal.code()))
                .matches("[A-Z][^.{]+\\.")
                .doesNotContain(refusal.code(), "''");
    }

    @ParameterizedTest
    @ValueSource(strings = {"student.contended", "refused.contended"})
    void a_command_that_lost_races_says_so(String key) {
        assertThat(sentence(key, "Others changed it")).endsWith("Try again.");
    }
}
