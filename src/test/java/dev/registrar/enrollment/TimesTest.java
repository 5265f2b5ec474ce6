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
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentEnrolledByOverride;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.DayOfWeek;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcollections.HashTreePSet;

/** Weekly times: their value, their change, and the rule that a student's courses do not overlap. */
class TimesTest {
    private static final EnrollStudent ENROLL = new EnrollStudent(BOB, MATHS, 10);
    private static final OtherTimes OTHER = new OtherTimes(Set.of(MUSIC));
    private static final TimesClash CLASH = new TimesClash(List.of(MUSIC));

    @Test
    void times_are_in_the_order_of_the_week_and_read_as_they_are_written() {
        WeeklyTimes times = WeeklyTimes.of("WED 14:00-15:30, Monday  12:00 – 13:00;Mo 10:00-12:00;");

        assertThat(times).hasToString("Mon 10:00-12:00; Mon 12:00-13:00; Wed 14:00-15:30");
        assertThat(WeeklyTimes.of(times.toString())).isEqualTo(times);
        assertThat(WeeklyTimes.of(" ")).isEqualTo(WeeklyTimes.NONE);
    }

    @Test
    void a_meeting_may_end_at_midnight() {
        WeeklyTimes late = WeeklyTimes.of("Mon 22:00-24:00");

        assertThat(late).hasToString("Mon 22:00-24:00");
        assertThat(WeeklyTimes.of(late.toString())).isEqualTo(late);
        assertThat(late.overlaps(WeeklyTimes.of("Mon 23:59-24:00"))).isTrue();
        assertThat(WeeklyTimes.of("Mon 00:00-24:00").overlaps(late)).isTrue();
        assertThat(late.overlaps(WeeklyTimes.of("Mon 20:00-22:00; Tue 00:00-01:00")))
                .isFalse();
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        CourseTimesChanged changed = new CourseTimesChanged(MATHS, late);
        assertThat(codec.decode(codec.encode(changed).event())).isEqualTo(changed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mo,Di,Mi,Do,Fr,Sa,So", "mon,TUE,Wed,thu,fri,sat,sun", "Mo.,Tuesday,wednesday,Th,Fr,Sa,SU"})
    void days_are_named_in_english_or_with_two_german_letters(String days) {
        String text = days.replace(",", " 10:00-11:00; ") + " 10:00-11:00";

        assertThat(WeeklyTimes.of(text).meetings())
                .extracting(WeeklyTimes.Meeting::day)
                .containsExactly(DayOfWeek.values());
    }

    @Test
    void non_breaking_blanks_are_blanks() {
        assertThat(WeeklyTimes.of("\u00A0Mon\u00A010:00\u202F\u2013\u202F12:00;\u2007Wed\u00A014:00-15:30\u00A0"))
                .isEqualTo(WeeklyTimes.of("Mon 10:00-12:00; Wed 14:00-15:30"));
        assertThat(WeeklyTimes.of("\u00A0")).isEqualTo(WeeklyTimes.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "Mon 10:00-12:00; ", "Mon 10:00-12:00;x"})
    void of_a_text_that_is_too_long_an_error_quotes_only_the_beginning(String part) {
        assertThatThrownBy(() -> WeeklyTimes.of(part.repeat(1_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith("Weekly times have at most 1000 characters")
                .contains("'" + part)
                .hasSizeLessThan(200);
        assertThatThrownBy(() -> WeeklyTimes.of("x".repeat(900)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .hasSizeLessThan(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mo 10:00–10:00",
                "Mo 12:00–10:00",
                "Mo 10:00–12:00, Mo 11:59–13:00",
                "Mo 24:00–25:00",
                "Mo 24:00–24:30",
                "Mo 22:00–00:00",
                "Mo 22:00–24:01",
                "Die 10:00–12:00",
                "Mo 10–12",
                "Xx 10:00–12:00",
                "T 10:00–12:00",
                "Mon Tue 10:00–12:00",
                "Mon 10:00"
            })
    void other_times_are_refused_in_a_sentence(String text) {
        assertThatThrownBy(() -> WeeklyTimes.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(A meeting|Meetings) .* (was|were) .*");
    }

    @Test
    void a_course_has_at_most_20_meetings() {
        List<WeeklyTimes.Meeting> many = IntStream.range(0, 21)
                .mapToObj(hour -> WeeklyTimes.of(
                                "%s %s:00–%s:30".formatted(hour < 11 ? "Mo" : "Tu", 10 + hour % 11, 10 + hour % 11))
                        .meetings()
                        .getFirst())
                .toList();

        assertThatThrownBy(() -> new WeeklyTimes(many))
                .hasMessage("A course has at most 20 weekly meetings but was given 21");
    }

    @Test
    void times_change_even_of_a_closed_course_but_not_to_the_same() {
        WeeklyTimes times = WeeklyTimes.of("Mo 10:00–12:00");
        Scenario<EnrollmentEvent> closed = given(courseDefined(MATHS, seats(1)), courseClosed(MATHS));

        closed.when(new ChangeTimes(MATHS, times)).thenAccepted(new CourseTimesChanged(MATHS, times));
        closed.given(new CourseTimesChanged(MATHS, times))
                .when(new ChangeTimes(MATHS, times))
                .thenRefused(ChangeTimes.Refused.TIMES_UNCHANGED);
        given().when(new ChangeTimes(MATHS, times)).thenRefused(ChangeTimes.Refused.COURSE_UNKNOWN);
    }

    @Test
    void courses_of_a_student_must_not_overlap_but_may_touch() {
        Scenario<EnrollmentEvent> enrolled = inMusic("Mo 10:00–12:00");

        enrolled.given(times(MATHS, "Mo 11:59–13:00"))
                .when(new EnrollStudent(BOB, MATHS, 10, OTHER))
                .thenRefused(CLASH);
        enrolled.given(times(MATHS, "Mo 12:00–13:00, Tu 10:00–12:00"))
                .when(new EnrollStudent(BOB, MATHS, 10, OTHER))
                .thenAccepted(studentEnrolled(BOB, MATHS));
        enrolled.given(times(MATHS, "Mo 11:59–13:00"), times(MUSIC, ""))
                .when(new EnrollStudent(BOB, MATHS, 10, OTHER))
                .thenAccepted(studentEnrolled(BOB, MATHS));
        enrolled.given(times(MATHS, "Mo 11:59–13:00"), studentDropped(BOB, MUSIC))
                .when(ENROLL)
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_refusal_names_all_courses_that_clash_in_the_order_of_their_ids() {
        Scenario<EnrollmentEvent> enrolled = inMusic("Mo 10:00–12:00")
                .given(
                        times(MATHS, "Mo 09:00–13:00"),
                        courseDefined(LATIN, seats(9)),
                        times(LATIN, "Mo 12:00–13:00"),
                        studentEnrolled(BOB, LATIN));

        enrolled.when(new EnrollStudent(BOB, MATHS, 10, new OtherTimes(Set.of(MUSIC, LATIN))))
                .thenRefused(new TimesClash(List.of(LATIN, MUSIC)));
        assertThat(CLASH.code()).isEqualTo("times-clash");
    }

    @Test
    void an_override_passes_a_clash_and_later_enrollments_are_compared_with_it() {
        Scenario<EnrollmentEvent> enrolled = inMusic("Mo 10:00–12:00").given(times(MATHS, "Mo 11:00–13:00"));

        enrolled.when(new EnrollByOverride(BOB, MATHS, RETAKES)).thenAccepted(studentEnrolledByOverride(BOB, MATHS));
        enrolled.given(studentDropped(BOB, MUSIC), studentEnrolledByOverride(BOB, MUSIC))
                .when(new EnrollStudent(BOB, MATHS, 10, OTHER))
                .thenRefused(CLASH);
    }

    @Test
    void a_student_with_more_courses_than_can_be_compared_is_told_so() {
        Scenario<EnrollmentEvent> enrolled =
                given(courseDefined(MATHS, seats(1)), times(MATHS, "Mo 10:00–12:00"), studentRegistered(BOB));
        for (int i = 0; i <= OtherTimes.MAX; i++) {
            enrolled = enrolled.given(studentEnrolled(BOB, new CourseId("course-" + i)));
        }

        enrolled.when(new EnrollStudent(BOB, MATHS, 100))
                .thenRefused(EnrollStudent.Refused.TOO_MANY_COURSES_TO_COMPARE);
    }

    @Test
    void a_swap_compares_the_times_of_the_courses_that_remain() {
        Scenario<EnrollmentEvent> enrolled = inMusic("Mo 10:00–12:00")
                .given(times(MATHS, "Mo 11:00–13:00"), courseDefined(LATIN, seats(9)), studentEnrolled(BOB, LATIN));

        enrolled.when(new SwapCourse(BOB, MATHS, MUSIC, 10, new OtherTimes(Set.of(LATIN))))
                .thenAccepted(studentDropped(BOB, MUSIC), studentEnrolled(BOB, MATHS));
        enrolled.when(new SwapCourse(BOB, MATHS, LATIN, 10, OTHER)).thenRefused(CLASH);
    }

    @Test
    void a_waiting_student_who_would_clash_keeps_the_place_and_the_next_one_gets_the_seat() {
        Scenario<EnrollmentEvent> waiting = inMusic("Mo 10:00–12:00")
                .given(
                        times(MATHS, "Mo 11:00–13:00"),
                        studentRegistered(ANN),
                        studentWaits(BOB, MATHS),
                        studentWaits(ANN, MATHS));

        waiting.when(new PromoteFromWaitingList(MATHS, List.of(BOB, ANN), 10))
                .thenRefused(PromoteFromWaitingList.Refused.OTHER_COURSES_CHANGED);
        waiting.when(new PromoteFromWaitingList(MATHS, HashTreePSet.empty(), List.of(BOB, ANN), 10, OTHER))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    @Test
    void an_enrollment_in_a_course_without_times_reads_only_the_course_and_the_student() {
        assertThat(ENROLL.facts()).isEqualTo(List.of(CourseFacts.of(MATHS), StudentFacts.of(BOB)));
        inMusic("Mo 10:00–12:00").when(ENROLL).thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_command_names_the_other_courses_once_it_knows_them() {
        InMemoryEventStore store = stored(inMusic("Mo 10:00–12:00").given(times(MATHS, "Mo 11:00–13:00")));

        assertThat(carryOut(loop(store, UnaryOperator.identity(), () -> {}), ENROLL))
                .isInstanceOfSatisfying(Outcome.Rejected.class, rejected -> {
                    assertThat(rejected.reason()).isEqualTo(CLASH);
                    assertThat(rejected.explanation())
                            .isEqualTo("Course maths clashes for student bob: Mon 11:00-13:00 with course music"
                                    + " (Mon 10:00-12:00)");
                });
    }

    /*
     * Bob is in music, and his enrollment in maths has been accepted, because the two do not overlap. Before its append,
     * the times of music change to those of maths. The append must fail, and the next attempt sees the new times.
     */
    @Test
    void times_of_another_course_changed_before_the_append_count() {
        assertThat(whileTimesChange(UnaryOperator.identity()))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CLASH));
    }

    /* The same race without the append's condition: Bob is enrolled in both, so the test above can fail. */
    @Test
    void without_the_condition_the_changed_times_would_not_count() {
        assertThat(whileTimesChange(request -> Append.of(request.events()))).isInstanceOf(Outcome.Accepted.class);
    }

    private static Outcome<EnrollmentEvent, ? extends Refusal> whileTimesChange(UnaryOperator<Append> meddling) {
        InMemoryEventStore store = stored(inMusic("Mo 14:00–15:00").given(times(MATHS, "Mo 11:00–13:00")));
        return carryOut(loop(store, meddling, () -> append(store, times(MUSIC, "Mo 12:00–14:00"))), ENROLL);
    }

    /*
     * Bob's enrollment in maths has been accepted: its times do not overlap those of music. Before its append he is
     * enrolled in latin, which meets when maths does. The append must fail, and the next attempt compares latin, too.
     */
    @Test
    void an_enrollment_in_a_clashing_course_before_the_append_counts() {
        assertThat(whileEnrolledElsewhere(UnaryOperator.identity()))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(new TimesClash(List.of(LATIN))));
    }

    /* The same race without the append's condition: Bob is enrolled in both, so the test above can fail. */
    @Test
    void without_the_condition_the_clashing_enrollment_would_not_count() {
        assertThat(whileEnrolledElsewhere(request -> Append.of(request.events())))
                .isInstanceOf(Outcome.Accepted.class);
    }

    private static Outcome<EnrollmentEvent, ? extends Refusal> whileEnrolledElsewhere(UnaryOperator<Append> meddling) {
        InMemoryEventStore store = stored(inMusic("Mo 14:00–15:00")
                .given(times(MATHS, "Mo 11:00–13:00"), courseDefined(LATIN, seats(9)), times(LATIN, "Mo 12:00–14:00")));
        return carryOut(loop(store, meddling, () -> append(store, studentEnrolled(BOB, LATIN))), ENROLL);
    }

    /** Times that maths gets before the append of an enrollment that found none: the enrollment is decided again. */
    @Test
    void first_times_of_the_course_before_the_append_count() {
        InMemoryEventStore store = stored(inMusic("Mo 10:00–12:00"));

        assertThat(carryOut(
                        loop(store, UnaryOperator.identity(), () -> append(store, times(MATHS, "Mo 11:00–13:00"))),
                        ENROLL))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(CLASH));
    }

    private static Scenario<EnrollmentEvent> inMusic(String times) {
        return given(
                courseDefined(MATHS, seats(1)),
                courseDefined(MUSIC, seats(9)),
                times(MUSIC, times),
                studentRegistered(BOB),
                studentEnrolled(BOB, MUSIC));
    }

    private static CourseTimesChanged times(CourseId course, String times) {
        return new CourseTimesChanged(course, WeeklyTimes.of(times));
    }

    private static InMemoryEventStore stored(Scenario<EnrollmentEvent> past) {
        InMemoryEventStore store = new InMemoryEventStore();
        past.past().forEach(event -> store.append(List.of(event)));
        return store;
    }

    private static void append(InMemoryEventStore store, EnrollmentEvent event) {
        store.append(List.of(new EnrollmentEventCodec().encode(event).event()));
    }

    private static DecisionLoop<EnrollmentEvent> loop(
            InMemoryEventStore store, UnaryOperator<Append> meddling, Runnable rival) {
        boolean[] done = {false};
        InterleavingStore meddled = new InterleavingStore(store, request -> {
            if (!done[0]) {
                done[0] = true;
                rival.run();
            }
            return meddling.apply(request);
        });
        return new DecisionLoop<>(
                meddled, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 100, InstantSource.system());
    }

    private static Outcome<EnrollmentEvent, ? extends Refusal> carryOut(
            DecisionLoop<EnrollmentEvent> loop, EnrollStudent command) {
        return Attempts.carryOut(() -> command, decision -> loop.execute(decision, Origin.UNKNOWN))
                .outcome();
    }
}
