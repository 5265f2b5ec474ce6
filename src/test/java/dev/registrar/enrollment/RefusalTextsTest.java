package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome;
import dev.registrar.eventstore.InMemoryEventStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers in the explanations of refusals: {@code 1 seat}, {@code 2 seats}. */
class RefusalTextsTest {

    static Stream<Arguments> refusals() {
        EnrollStudent enroll = new EnrollStudent(BOB, MATHS, 1);
        return Stream.of(
                refusal(List.of(), new ChangeCapacity(MATHS, seats(1)), "Course maths already has 1 seat"),
                refusal(
                        List.of(studentEnrolled(ANN, MATHS), studentWaits(BOB, MATHS)),
                        new ChangeWindow(MATHS, new EnrollmentWindow(EnrollmentWindow.LATEST, null)),
                        "Course maths has 1 student on its waiting list, so its enrollment cannot open later than now: 9999-12-31T23:59:59.999999Z"),
                refusal(List.of(studentEnrolled(ANN, MATHS)), enroll, "Course maths is full: 1 of 1 seat taken"),
                refusal(
                        List.of(studentEnrolled(ANN, MATHS), studentWaits(ANN, MATHS)),
                        enroll,
                        "Course maths has 1 student on its waiting list, which takes precedence"),
                refusal(List.of(studentEnrolled(BOB, LATIN)), enroll, "Student bob is enrolled in 1 course (limit 1)"),
                refusal(
                        List.of(),
                        new JoinWaitingList(BOB, MATHS),
                        "Course maths is not full: 0 of 1 seat taken, and the waiting list is empty"),
                refusal(
                        List.of(
                                courseDefined(MATHS, seats(2)),
                                studentEnrolled(ANN, MATHS),
                                studentEnrolled(BOB, MATHS)),
                        new ChangeCapacity(MATHS, seats(1)),
                        "Course maths has 2 students enrolled, more than the new capacity of 1"));
    }

    private static Arguments refusal(
            List<EnrollmentEvent> past, Decision<EnrollmentEvent, ? extends Refusal> command, String explanation) {
        return Arguments.of(past, command, explanation);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void a_number_is_followed_by_the_noun_in_its_form(
            List<EnrollmentEvent> past, Decision<EnrollmentEvent, ? extends Refusal> command, String explanation) {
        InMemoryEventStore store = new InMemoryEventStore();
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        Stream.concat(Stream.of(courseDefined(MATHS, seats(1)), studentRegistered(BOB)), past.stream())
                .forEach(event -> store.append(List.of(codec.encode(event).event())));

        Outcome<EnrollmentEvent, ? extends Refusal> outcome = new DecisionLoop<>(store, codec).execute(command);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.explanation()).isEqualTo(explanation));
    }
}
