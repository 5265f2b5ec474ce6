package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.RETAKES;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentChange;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another request changes between the decision on an override and its append. */
class EnrollByOverrideRaceTest {
    private static final EnrollByOverride ADMIT_BOB = new EnrollByOverride(BOB, MATHS, RETAKES);
    private static final EnrollStudent ENROLL_BOB = new EnrollStudent(BOB, MATHS, 10);
    private static final EnrollByOverride ADMIT_BOB_TOO =
            new EnrollByOverride(BOB, MATHS, new OverrideReason("Is ill"));

    /** Two requests that enroll Bob in the last seat, the first of which appends last. */
    record Pair(Decision<EnrollmentEvent, ?> command, Decision<EnrollmentEvent, ?> rival) {}

    static final List<Pair> PAIRS = List.of(
            new Pair(ADMIT_BOB, ENROLL_BOB), new Pair(ENROLL_BOB, ADMIT_BOB), new Pair(ADMIT_BOB, ADMIT_BOB_TOO));

    private final EnrollmentEventCodec codec = new EnrollmentEventCodec();
    private final InMemoryEventStore store = new InMemoryEventStore();

    /** Carries out a command; the store appends what a rival has decided just before the first append. */
    private Outcome<EnrollmentEvent, ?> race(
            Decision<EnrollmentEvent, ?> command, Decision<EnrollmentEvent, ?> rival, UnaryOperator<Append> meddling) {
        AtomicBoolean done = new AtomicBoolean();
        InterleavingStore interleaved = new InterleavingStore(store, request -> {
            if (!done.getAndSet(true)) {
                assertThat(new DecisionLoop<>(store, codec).execute(rival)).isInstanceOf(Outcome.Accepted.class);
            }
            return meddling.apply(request);
        });
        return new DecisionLoop<>(interleaved, codec).execute(command);
    }

    private void past(EnrollmentEvent... events) {
        given(events).past().forEach(event -> store.append(List.of(event)));
    }

    private long enrollmentsOfBob() {
        return store.count(Query.of(EnrollmentEventCodec.types(EnrollmentChange.class)
                .tagged(BOB.tag().value())));
    }

    /*
     * An enrollment of Bob has been accepted, by override or not. Before its append, the other request enrolls him. The
     * append must fail, and the second attempt sees that he is enrolled: his enrollment has one event.
     */
    @ParameterizedTest
    @FieldSource("PAIRS")
    void a_student_is_enrolled_once(Pair pair) {
        past(courseDefined(MATHS, seats(1)), studentRegistered(BOB));

        assertThat(race(pair.command(), pair.rival(), request -> request))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.explanation())
                                .isEqualTo("Student bob is already enrolled in course maths"));
        assertThat(enrollmentsOfBob()).isEqualTo(1);
    }

    /* The same races without the append's condition: Bob is enrolled twice. */
    @ParameterizedTest
    @FieldSource("PAIRS")
    void without_the_condition_the_student_would_be_enrolled_twice(Pair pair) {
        past(courseDefined(MATHS, seats(1)), studentRegistered(BOB));

        assertThat(race(pair.command(), pair.rival(), request -> Append.of(request.events())))
                .isInstanceOf(Outcome.Accepted.class);
        assertThat(enrollmentsOfBob()).isEqualTo(2);
    }

    /*
     * Bob does not wait for the full course when his override is accepted. Before its append he joins the waiting list.
     * The append must fail, and the second attempt takes him off the list. Without the condition he would be enrolled
     * and wait.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_student_who_joins_the_list_meanwhile_does_not_stay_on_it(boolean isGuarded) {
        past(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS));

        Outcome<EnrollmentEvent, ?> outcome = race(
                ADMIT_BOB,
                new JoinWaitingList(BOB, MATHS),
                isGuarded ? request -> request : request -> Append.of(request.events()));

        Projection<CourseFacts.State> facts = CourseFacts.of(MATHS).decodedBy(codec);
        CourseFacts.State state = store.project(facts).state(facts);
        assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
        assertThat(state.enrolled()).isEqualTo(2);
        assertThat(state.waiting()).isEqualTo(isGuarded ? 0 : 1);
    }

    /*
     * An override has been accepted. Before its append the course is closed. The append must fail, and the second
     * attempt sees it. Without the condition the closed course would get a student.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_course_closed_meanwhile_gets_no_student(boolean isGuarded) {
        past(courseDefined(MATHS, seats(1)), studentRegistered(BOB));

        Outcome<EnrollmentEvent, ?> outcome = race(
                ADMIT_BOB,
                new CloseCourse(MATHS),
                isGuarded ? request -> request : request -> Append.of(request.events()));

        assertThat(outcome).isInstanceOf(isGuarded ? Outcome.Rejected.class : Outcome.Accepted.class);
        assertThat(enrollmentsOfBob()).isEqualTo(isGuarded ? 0 : 1);
    }
}
