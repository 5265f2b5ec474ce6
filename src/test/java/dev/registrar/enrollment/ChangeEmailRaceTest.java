package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangeEmail.Refused.EMAIL_TAKEN;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.email;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Projection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcollections.PSet;

/** What another request changes between the decision on a new e-mail address and its append. */
class ChangeEmailRaceTest {
    private static final EmailAddress FREE = new EmailAddress("free@example.org");
    private static final EmailAddress OTHER = new EmailAddress("other@example.org");

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

    private Set<StudentId> studentsWith(EmailAddress address) {
        Projection<PSet<StudentId>> students = EmailFacts.of(address).decodedBy(codec);
        return store.project(students).state(students);
    }

    static Stream<Decision<EnrollmentEvent, ?>> rivalsForTheFreeAddress() {
        return Stream.of(new ChangeEmail(BOB, FREE), new RegisterStudent(CID, new StudentName("Cid"), FREE));
    }

    /*
     * Ann's change to a free address has been accepted. Before its append, Bob changes to that address, or Cid is
     * registered under it. Ann's append must fail, and the second attempt sees that the address is taken.
     */
    @ParameterizedTest
    @MethodSource("rivalsForTheFreeAddress")
    void an_address_taken_before_the_append_is_refused(Decision<EnrollmentEvent, ?> rival) {
        past(studentRegistered(ANN), studentRegistered(BOB));

        assertThat(race(new ChangeEmail(ANN, FREE), rival, request -> request))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(EMAIL_TAKEN));
        assertThat(studentsWith(FREE)).hasSize(1).doesNotContain(ANN);
    }

    /* The same races without the append's condition: two students have the address. */
    @ParameterizedTest
    @MethodSource("rivalsForTheFreeAddress")
    void without_the_condition_two_students_would_have_the_address(Decision<EnrollmentEvent, ?> rival) {
        past(studentRegistered(ANN), studentRegistered(BOB));

        assertThat(race(new ChangeEmail(ANN, FREE), rival, request -> Append.of(request.events())))
                .isInstanceOf(Outcome.Accepted.class);
        assertThat(studentsWith(FREE)).hasSize(2).contains(ANN);
    }

    /*
     * Ann has left her first address, and her change back to it has been accepted. Before its append, Bob changes to it.
     * With the condition of the append, one of the two students has it; without, both have it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_address_that_was_left_goes_to_one_student(boolean isGuarded) {
        past(studentRegistered(ANN), studentRegistered(BOB), new StudentEmailChanged(ANN, FREE, email(ANN)));

        Outcome<EnrollmentEvent, ?> outcome = race(
                new ChangeEmail(ANN, email(ANN)),
                new ChangeEmail(BOB, email(ANN)),
                isGuarded ? request -> request : request -> Append.of(request.events()));

        assertThat(outcome).isInstanceOf(isGuarded ? Outcome.Rejected.class : Outcome.Accepted.class);
        assertThat(studentsWith(email(ANN))).hasSize(isGuarded ? 1 : 2).contains(BOB);
        assertThat(studentsWith(email(BOB))).isEmpty();
    }

    /*
     * Ann's change to a free address has been accepted; it leaves her first one. Before its append, another request
     * changes her address to a third one, which the event then leaves behind. So the append must fail, and the second
     * attempt leaves the third address, which Bob can take. Without the condition Ann would keep it for ever.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void two_changes_of_one_student_leave_no_address_behind(boolean isGuarded) {
        past(studentRegistered(ANN), studentRegistered(BOB));

        Outcome<EnrollmentEvent, ?> outcome = race(
                new ChangeEmail(ANN, FREE),
                new ChangeEmail(ANN, OTHER),
                isGuarded ? request -> request : request -> Append.of(request.events()));

        assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
        assertThat(studentsWith(FREE)).containsExactly(ANN);
        assertThat(studentsWith(email(ANN))).isEmpty();
        assertThat(studentsWith(OTHER)).hasSize(isGuarded ? 0 : 1);
        assertThat(new DecisionLoop<>(store, codec).execute(new ChangeEmail(BOB, OTHER)))
                .isInstanceOf(isGuarded ? Outcome.Accepted.class : Outcome.Rejected.class);
    }
}
