package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.requires;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SwapCourseTest {
    private static final SwapCourse MATHS_FOR_MUSIC = new SwapCourse(BOB, MATHS, MUSIC, 10);

    private final InMemoryEventStore store = new InMemoryEventStore();
    private int appends;

    private static Scenario<EnrollmentEvent> bobInMusic(EnrollmentEvent... more) {
        return given(
                        courseDefined(MATHS, seats(1)),
                        courseDefined(MUSIC, seats(1)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MUSIC))
                .given(more);
    }

    @Test
    void a_student_takes_a_course_and_gives_up_another_one() {
        bobInMusic().when(MATHS_FOR_MUSIC).thenAccepted(studentDropped(BOB, MUSIC), studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_student_keeps_the_course_if_the_other_one_is_full() {
        bobInMusic(studentEnrolled(ANN, MATHS)).when(MATHS_FOR_MUSIC).thenRefused(EnrollStudent.Refused.COURSE_FULL);
    }

    @Test
    void a_student_at_the_limit_swaps() {
        bobInMusic()
                .when(new SwapCourse(BOB, MATHS, MUSIC, 1))
                .thenAccepted(studentDropped(BOB, MUSIC), studentEnrolled(BOB, MATHS));
        bobInMusic(studentEnrolled(BOB, LATIN))
                .when(new SwapCourse(BOB, MATHS, MUSIC, 1))
                .thenRefused(EnrollStudent.Refused.STUDENT_AT_LIMIT);
    }

    @Test
    void a_course_that_requires_another_one_cannot_replace_it() {
        given(
                        courseDefined(MUSIC, seats(1)),
                        courseDefined(MATHS, requires(MUSIC)),
                        studentRegistered(BOB),
                        studentEnrolled(BOB, MUSIC))
                .when(MATHS_FOR_MUSIC)
                .thenRefused(EnrollStudent.Refused.PREREQUISITE_MISSING);
    }

    @Test
    void a_course_in_which_the_student_is_not_enrolled_cannot_be_given_up() {
        given(courseDefined(MATHS, seats(1)), courseDefined(MUSIC, seats(1)), studentRegistered(BOB))
                .when(MATHS_FOR_MUSIC)
                .thenRefused(SwapCourse.Refused.NOT_ENROLLED_IN_OTHER);
        bobInMusic().when(new SwapCourse(BOB, MATHS, MATHS, 10)).thenRefused(SwapCourse.Refused.NOT_ENROLLED_IN_OTHER);
    }

    @Test
    void a_student_in_both_courses_drops_the_one_to_give_up() {
        bobInMusic(studentEnrolled(BOB, MATHS)).when(MATHS_FOR_MUSIC).thenAccepted(studentDropped(BOB, MUSIC));
    }

    @Test
    void a_repeated_swap_is_an_enrollment_that_exists() {
        bobInMusic(studentDropped(BOB, MUSIC), studentEnrolled(BOB, MATHS))
                .when(MATHS_FOR_MUSIC)
                .thenRefused(EnrollStudent.Refused.ALREADY_ENROLLED);
        bobInMusic().when(new SwapCourse(BOB, MUSIC, MUSIC, 10)).thenRefused(EnrollStudent.Refused.ALREADY_ENROLLED);
    }

    /* Ann takes the last seat before Bob's append, which then fails as a whole. */
    @Test
    void a_student_keeps_the_course_if_the_last_seat_is_lost_before_the_append() {
        Outcome<EnrollmentEvent, Refusal> outcome = swapWhile(studentEnrolled(ANN, MATHS), request -> request);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(EnrollStudent.Refused.COURSE_FULL));
        assertThat(store.count(StudentFacts.of(BOB).query())).isEqualTo(2);
    }

    /* The same race without the append's condition: two students have one seat, so the test above can fail. */
    @Test
    void without_the_condition_two_students_would_have_the_last_seat() {
        assertThat(swapWhile(studentEnrolled(ANN, MATHS), request -> Append.of(request.events())))
                .isInstanceOf(Outcome.Accepted.class);
    }

    @Test
    void an_enrollment_in_the_course_to_give_up_does_not_conflict() {
        assertThat(swapWhile(studentEnrolled(ANN, MUSIC), request -> request)).isInstanceOf(Outcome.Accepted.class);
        assertThat(appends).isEqualTo(1);
    }

    /** Swaps; the store appends another event just before the first append. */
    private Outcome<EnrollmentEvent, Refusal> swapWhile(EnrollmentEvent rival, UnaryOperator<Append> meddling) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        bobInMusic().past().forEach(event -> store.append(List.of(event)));
        InterleavingStore meddled = new InterleavingStore(store, request -> {
            if (appends++ == 0) {
                store.append(List.of(codec.encode(rival).event()));
            }
            return meddling.apply(request);
        });
        return new DecisionLoop<>(meddled, codec, RetryBounds.DEFAULT, 100, InstantSource.system())
                .execute(MATHS_FOR_MUSIC, Origin.UNKNOWN);
    }

    @Test
    void an_unknown_course_or_student_is_reported() {
        given().when(MATHS_FOR_MUSIC).thenRefused(EnrollStudent.Refused.COURSE_UNKNOWN);
        given(courseDefined(MATHS, seats(1)), courseDefined(MUSIC, seats(1)))
                .when(MATHS_FOR_MUSIC)
                .thenRefused(EnrollStudent.Refused.STUDENT_UNKNOWN);
    }

    @Test
    void a_course_that_does_not_exist_cannot_be_given_up() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB))
                .when(MATHS_FOR_MUSIC)
                .thenRefused(EnrollStudent.Refused.COURSE_UNKNOWN);
    }
}
