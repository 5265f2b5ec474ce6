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
import static dev.registrar.enrollment.CourseOffice.studentTier;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.COURSE_FULL;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.LINE_IS_LONGER;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.NOBODY_TO_PROMOTE;
import static dev.registrar.enrollment.PromoteFromWaitingList.Refused.OUTSIDE_ENROLLMENT_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePSet;

class PromoteFromWaitingListTest {
    private static final Instant CLOSES = Instant.parse("2030-03-15T20:00:00Z");

    @Test
    void the_first_student_gets_the_seat_and_leaves_the_list() {
        free(ANN, BOB)
                .when(promote(ANN, BOB))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    @Test
    void several_free_seats_go_to_the_first_students_who_may_take_them() {
        Scenario<EnrollmentEvent> twoSeats = free(ANN, BOB, CID).given(capacityChanged(MATHS, seats(2)));

        twoSeats.when(promote(ANN, BOB, CID))
                .thenAccepted(
                        studentEnrolled(ANN, MATHS),
                        studentWaitsNoMore(ANN, MATHS),
                        studentEnrolled(BOB, MATHS),
                        studentWaitsNoMore(BOB, MATHS));
        twoSeats.when(promote(ANN)).thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    @Test
    void one_seat_is_assigned_once() {
        free(ANN, BOB)
                .given(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS))
                .when(promote(ANN, BOB))
                .thenRefused(COURSE_FULL);
    }

    @Test
    void the_order_of_the_list_decides_not_that_of_the_candidates() {
        free(ANN, BOB)
                .when(promote(BOB, ANN))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
        free(ANN, BOB)
                .given(studentWaitsNoMore(ANN, MATHS), studentWaits(ANN, MATHS))
                .when(promote(ANN, BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
    }

    @Test
    void a_student_at_the_limit_is_skipped() {
        free(ANN, BOB)
                .given(studentEnrolled(ANN, MUSIC))
                .when(new PromoteFromWaitingList(MATHS, List.of(ANN, BOB), 1))
                .thenAccepted(studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
        free(ANN, BOB)
                .given(studentEnrolled(ANN, MUSIC), studentDropped(ANN, MUSIC))
                .when(new PromoteFromWaitingList(MATHS, List.of(ANN, BOB), 1))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    @Test
    void the_limit_of_a_tier_overrides_that_of_the_setting() {
        Scenario<EnrollmentEvent> waiting = free(ANN, BOB)
                .given(
                        studentRegistered(ANN),
                        studentEnrolled(ANN, MUSIC),
                        studentEnrolled(ANN, new CourseId("latin")));

        waiting.given(studentTier(ANN, Tier.BASIC))
                .when(promote(ANN, BOB))
                .thenAccepted(studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
        waiting.given(studentTier(ANN, Tier.STANDARD))
                .when(new PromoteFromWaitingList(MATHS, List.of(ANN, BOB), 1))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    @Test
    void a_student_who_lacks_a_prerequisite_loses_the_place() {
        Scenario<EnrollmentEvent> required =
                free(ANN, BOB).given(prerequisitesChanged(MATHS, MUSIC), studentEnrolled(BOB, MUSIC));

        required.when(promote(ANN, BOB))
                .thenAccepted(
                        studentWaitsNoMore(ANN, MATHS), studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
        required.when(promote(ANN)).thenAccepted(studentWaitsNoMore(ANN, MATHS));
        required.given(studentDropped(BOB, MUSIC))
                .when(promote(ANN, BOB))
                .thenAccepted(studentWaitsNoMore(ANN, MATHS), studentWaitsNoMore(BOB, MATHS));
        required.given(studentEnrolled(ANN, MUSIC))
                .when(promote(ANN, BOB))
                .thenAccepted(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS));
    }

    /* The automation checks a student only when a seat is free. */
    @Test
    void a_student_keeps_the_place_while_no_seat_is_free() {
        free(ANN)
                .given(prerequisitesChanged(MATHS, MUSIC), studentEnrolled(BOB, MATHS))
                .when(promote(ANN))
                .thenRefused(COURSE_FULL);
    }

    @Test
    void an_enrolled_student_loses_the_place() {
        free(ANN, BOB)
                .given(capacityChanged(MATHS, seats(2)), studentEnrolled(ANN, MATHS))
                .when(promote(ANN, BOB))
                .thenAccepted(
                        studentWaitsNoMore(ANN, MATHS), studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
    }

    @Test
    void a_student_who_is_not_a_candidate_is_never_skipped() {
        free(ANN, BOB, CID).when(promote()).thenRefused(LINE_IS_LONGER);
        free(ANN, BOB, CID).when(promote(BOB, CID)).thenRefused(LINE_IS_LONGER);
        free(ANN, BOB, CID)
                .given(studentEnrolled(ANN, MUSIC))
                .when(new PromoteFromWaitingList(MATHS, List.of(ANN), 1))
                .thenRefused(LINE_IS_LONGER);
    }

    @Test
    void only_students_whom_an_earlier_decision_has_examined_are_passed_over() {
        free(ANN, BOB, CID)
                .when(new PromoteFromWaitingList(
                        MATHS, HashTreePSet.singleton(ANN), List.of(BOB), 1, OtherTimes.UNREAD))
                .thenAccepted(studentEnrolled(BOB, MATHS), studentWaitsNoMore(BOB, MATHS));
        free(ANN, BOB, CID)
                .when(new PromoteFromWaitingList(
                        MATHS, HashTreePSet.singleton(BOB), List.of(CID), 1, OtherTimes.UNREAD))
                .thenRefused(LINE_IS_LONGER);
        free(ANN, BOB)
                .when(new PromoteFromWaitingList(
                        MATHS, HashTreePSet.from(List.of(ANN, BOB)), List.of(), 1, OtherTimes.UNREAD))
                .thenRefused(NOBODY_TO_PROMOTE);
    }

    @Test
    void a_list_without_an_eligible_student_promotes_none() {
        free().when(promote()).thenRefused(NOBODY_TO_PROMOTE);
        free().when(promote(ANN)).thenRefused(NOBODY_TO_PROMOTE);
        free(ANN)
                .given(studentEnrolled(ANN, MUSIC))
                .when(new PromoteFromWaitingList(MATHS, List.of(ANN, BOB), 1))
                .thenRefused(NOBODY_TO_PROMOTE);
    }

    @Test
    void the_number_of_candidates_is_bounded_by_an_appends_conditions() {
        StudentId[] line = IntStream.range(0, 65)
                .mapToObj(i -> new StudentId("student" + i))
                .toArray(StudentId[]::new);
        List<StudentId> most = List.of(line).subList(0, 64);
        Scenario<EnrollmentEvent> allButTheLast = free(line)
                .given(most.subList(0, 63).stream()
                        .map(student -> studentEnrolled(student, MUSIC))
                        .toArray(EnrollmentEvent[]::new));

        allButTheLast
                .when(new PromoteFromWaitingList(MATHS, most, 1))
                .thenAccepted(studentEnrolled(line[63], MATHS), studentWaitsNoMore(line[63], MATHS));
        allButTheLast
                .given(studentEnrolled(line[63], MUSIC))
                .when(new PromoteFromWaitingList(MATHS, most, 1))
                .thenRefused(LINE_IS_LONGER);
        assertThatThrownBy(() -> new PromoteFromWaitingList(MATHS, List.of(line), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65");
    }

    @Test
    void the_first_of_several_reasons_is_reported() {
        EnrollmentWindow shut = new EnrollmentWindow(null, CLOSES);
        Scenario<EnrollmentEvent> now = given(studentEnrolled(BOB, MATHS)).at(CLOSES);

        now.when(promote()).thenRefused(COURSE_UNKNOWN);
        now = now.given(courseDefined(MATHS, seats(1), shut));
        now.given(courseClosed(MATHS)).when(promote()).thenRefused(COURSE_CLOSED);
        now.when(promote()).thenRefused(OUTSIDE_ENROLLMENT_WINDOW);
        now = now.at(CLOSES.minusNanos(1));
        now.when(promote()).thenRefused(COURSE_FULL);
        now = now.given(studentDropped(BOB, MATHS));
        now.when(promote()).thenRefused(NOBODY_TO_PROMOTE);
    }

    /*
     * Ann is first in line and at her limit, so the decision gives the seat to Bob. Before its append, Ann drops a
     * course and is below her limit. She gets the seat.
     */
    @Test
    void a_student_who_becomes_eligible_before_the_append_has_priority() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        InMemoryEventStore store = new InMemoryEventStore();
        free(ANN, BOB).given(studentEnrolled(ANN, MUSIC)).past().forEach(event -> store.append(List.of(event)));
        boolean[] dropped = {false};
        InterleavingStore interleaved = new InterleavingStore(store, () -> {
            if (!dropped[0]) {
                dropped[0] = true;
                append(store, codec, studentDropped(ANN, MUSIC));
            }
        });
        DecisionLoop<EnrollmentEvent> loop =
                new DecisionLoop<>(interleaved, codec, RetryBounds.DEFAULT, 100, InstantSource.system());

        Outcome<EnrollmentEvent, PromoteFromWaitingList.Refused> outcome =
                loop.execute(new PromoteFromWaitingList(MATHS, List.of(ANN, BOB), 1), Origin.UNKNOWN);

        assertThat(outcome)
                .isEqualTo(new Outcome.Accepted<>(
                        List.of(studentEnrolled(ANN, MATHS), studentWaitsNoMore(ANN, MATHS)),
                        store.head().position(),
                        false));
        assertThat(interleaved.appends()).isEqualTo(2);
    }

    private static void append(EventStore store, EnrollmentEventCodec codec, EnrollmentEvent event) {
        EventCodec.Encoded encoded = codec.encode(event);
        store.append(List.of(Event.of(encoded.type(), encoded.tags(), encoded.payload())));
    }

    private static PromoteFromWaitingList promote(StudentId... first) {
        return new PromoteFromWaitingList(MATHS, List.of(first), 10);
    }

    /** Maths has a free seat, and these students wait for it in this order. */
    private static Scenario<EnrollmentEvent> free(StudentId... line) {
        return given(courseDefined(MATHS, seats(1)))
                .given(List.of(line).stream()
                        .map(student -> studentWaits(student, MATHS))
                        .toArray(EnrollmentEvent[]::new));
    }
}
