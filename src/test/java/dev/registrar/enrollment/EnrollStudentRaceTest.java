package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
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
import static dev.registrar.enrollment.EnrollStudent.Refused.PREREQUISITE_MISSING;
import static dev.registrar.enrollment.EnrollStudent.Refused.STUDENT_AT_LIMIT;
import static dev.registrar.enrollment.EnrollStudent.Refused.WAITING_LIST_NOT_EMPTY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another append changes between the decision to enroll a student and its append. */
class EnrollStudentRaceTest {
    private static final EnrollStudent ENROLL_BOB = new EnrollStudent(BOB, MATHS, 10);

    /*
     * Bob is in two of ten courses, and his enrollment has been accepted. Before its append his tier becomes basic, which
     * allows two. The append must fail, and the second attempt sees the tier.
     */
    @Test
    void a_tier_lowered_before_the_append_counts() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        InMemoryEventStore store = new InMemoryEventStore();

        Outcome<EnrollmentEvent, Refusal> outcome = enrollWhileTierIsLowered(store, request -> request);

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Rejected.class, rejected -> {
            assertThat(rejected.reason()).isEqualTo(STUDENT_AT_LIMIT);
            assertThat(rejected.explanation())
                    .isEqualTo("Student bob is enrolled in 2 courses (limit 2 of the tier 'basic')");
        });
        assertThat(store.count(StudentFacts.of(BOB).query())).isEqualTo(4);
        assertThat(codec.readable(
                        store.last(StudentFacts.of(BOB).query()).orElseThrow().event()))
                .contains(studentTier(BOB, Tier.BASIC));
    }

    /* The same race without the append's condition: Bob is above the limit, so the test above can fail. */
    @Test
    void without_the_condition_the_lowered_tier_would_not_count() {
        InMemoryEventStore store = new InMemoryEventStore();

        Outcome<EnrollmentEvent, Refusal> outcome =
                enrollWhileTierIsLowered(store, request -> Append.of(request.events()));

        assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
        assertThat(store.count(StudentFacts.of(BOB).query())).isEqualTo(5);
    }

    private static Outcome<EnrollmentEvent, Refusal> enrollWhileTierIsLowered(
            InMemoryEventStore store, UnaryOperator<Append> meddling) {
        return enrollWhile(store, inTwoCourses(), studentTier(BOB, Tier.BASIC), meddling);
    }

    private static Scenario<EnrollmentEvent> inTwoCourses() {
        return given(
                courseDefined(MATHS, seats(100)),
                studentRegistered(BOB),
                studentEnrolled(BOB, MUSIC),
                studentEnrolled(BOB, LATIN));
    }

    /** Enrolls Bob in maths; the store appends another event just before the first append. */
    private static Outcome<EnrollmentEvent, Refusal> enrollWhile(
            InMemoryEventStore store,
            Scenario<EnrollmentEvent> before,
            EnrollmentEvent rival,
            UnaryOperator<Append> meddling) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        before.past().forEach(event -> store.append(List.of(event)));
        boolean[] done = {false};
        InterleavingStore meddled = new InterleavingStore(store, request -> {
            if (!done[0]) {
                done[0] = true;
                append(store, codec, rival);
            }
            return meddling.apply(request);
        });
        return new DecisionLoop<>(meddled, codec, RetryBounds.DEFAULT, 100, InstantSource.system())
                .execute(ENROLL_BOB, Origin.UNKNOWN);
    }

    /*
     * Bob's enrollment in maths has been accepted. Before its append, either maths gets the prerequisite music, or Bob
     * drops music, which maths requires. The append must fail, and the second attempt sees the change.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_prerequisite_missing_at_the_append_counts(boolean isNew) {
        InMemoryEventStore store = new InMemoryEventStore();

        assertThat(enrollWhilePrerequisiteGoesMissing(store, isNew, request -> request))
                .isInstanceOfSatisfying(Outcome.Rejected.class, rejected -> {
                    assertThat(rejected.reason()).isEqualTo(PREREQUISITE_MISSING);
                    assertThat(rejected.explanation())
                            .isEqualTo("Course maths requires courses in which student bob is not enrolled: music");
                });
    }

    /* The same races without the append's condition: Bob is enrolled, so the test above can fail. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void without_the_condition_the_missing_prerequisite_would_not_count(boolean isNew) {
        InMemoryEventStore store = new InMemoryEventStore();

        assertThat(enrollWhilePrerequisiteGoesMissing(store, isNew, request -> Append.of(request.events())))
                .isInstanceOf(Outcome.Accepted.class);
    }

    private static Outcome<EnrollmentEvent, Refusal> enrollWhilePrerequisiteGoesMissing(
            InMemoryEventStore store, boolean isNew, UnaryOperator<Append> meddling) {
        Scenario<EnrollmentEvent> before = isNew
                ? given(courseDefined(MATHS, seats(1)), studentRegistered(BOB))
                : given(courseDefined(MATHS, requires(MUSIC)), studentRegistered(BOB), studentEnrolled(BOB, MUSIC));
        EnrollmentEvent rival = isNew ? prerequisitesChanged(MATHS, MUSIC) : studentDropped(BOB, MUSIC);
        return enrollWhile(store, before, rival, meddling);
    }

    /*
     * Bob's enrollment has read a free seat and an empty waiting list. Cid joins the list before Bob's append. The append
     * must fail, and the second attempt sees the list.
     */
    @Test
    void a_student_who_joins_the_list_before_the_append_has_priority() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        InMemoryEventStore store = new InMemoryEventStore();
        append(store, codec, courseDefined(MATHS, seats(1)));
        append(store, codec, studentRegistered(BOB));
        InterleavingStore interleaved =
                new InterleavingStore(store, () -> append(store, codec, studentWaits(CID, MATHS)));
        DecisionLoop<EnrollmentEvent> loop =
                new DecisionLoop<>(interleaved, codec, RetryBounds.DEFAULT, 100, InstantSource.system());

        assertThat(loop.execute(ENROLL_BOB, Origin.UNKNOWN))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(WAITING_LIST_NOT_EMPTY));
        assertThat(interleaved.appends()).isOne();
    }

    private static void append(EventStore store, EnrollmentEventCodec codec, EnrollmentEvent event) {
        EventCodec.Encoded encoded = codec.encode(event);
        store.append(List.of(Event.of(encoded.type(), encoded.tags(), encoded.payload())));
    }
}
