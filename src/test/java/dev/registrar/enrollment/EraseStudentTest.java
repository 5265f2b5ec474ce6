package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.email;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.EraseStudent.Refused.STUDENT_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.EnrollmentEvent.PersonalEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An erasure ends what may be stored about a person, and what is personal in events is masked. */
class EraseStudentTest {
    private static final StudentName NAME = new StudentName("Ann Archer");
    private static final Actor OFFICE = Actor.of("issuer", "office").onBehalfOf("ann");

    private final EnrollmentEventCodec codec = new EnrollmentEventCodec();

    @Test
    void a_student_is_erased_once() {
        given(studentRegistered(ANN)).when(new EraseStudent(ANN)).thenAccepted(new StudentErased(ANN));
        given(studentRegistered(ANN), new StudentErased(ANN))
                .when(new EraseStudent(ANN))
                .thenAccepted();
    }

    @Test
    void an_unknown_student_is_not_erased() {
        given(studentRegistered(BOB)).when(new EraseStudent(ANN)).thenRefused(STUDENT_UNKNOWN);
    }

    @Test
    void a_repetition_erases_an_override_that_came_later() {
        StudentEnrolledByOverride override =
                new StudentEnrolledByOverride(ANN, MATHS, new OverrideReason("Ann Archer is ill"));
        given(studentRegistered(ANN), new StudentErased(ANN), override)
                .when(new EraseStudent(ANN))
                .thenAccepted(new StudentErased(ANN));
        given(studentRegistered(ANN), override, new StudentErased(ANN))
                .when(new EraseStudent(ANN))
                .thenAccepted();
    }

    @Test
    void an_erased_student_gets_no_name_and_no_address_and_the_id_stays_taken() {
        given(studentRegistered(ANN), new StudentErased(ANN))
                .when(new ChangeName(ANN, NAME))
                .thenRefused(ChangeName.Refused.STUDENT_UNKNOWN);
        given(studentRegistered(ANN), new StudentErased(ANN))
                .when(new ChangeEmail(ANN, new EmailAddress("new@example.org")))
                .thenRefused(ChangeEmail.Refused.STUDENT_UNKNOWN);
        given(studentRegistered(ANN), new StudentErased(ANN))
                .when(new RegisterStudent(ANN, NAME, new EmailAddress("new@example.org")))
                .thenRefused(RegisterStudent.Refused.STUDENT_ID_TAKEN);
    }

    /*
     * A new name has been accepted. Before its append the student is erased: the append conflicts, since the erasure is
     * an event of the student's profile, and the second attempt finds no such student.
     */
    @Test
    void a_name_that_is_being_changed_does_not_come_after_the_erasure() {
        InMemoryEventStore store = new InMemoryEventStore();
        store.append(List.of(codec.encode(studentRegistered(ANN)).event()));
        AtomicBoolean done = new AtomicBoolean();
        InterleavingStore interleaved = new InterleavingStore(store, request -> {
            if (!done.getAndSet(true)) {
                new DecisionLoop<>(store, codec).execute(new EraseStudent(ANN));
            }
            return request;
        });

        assertThat(new DecisionLoop<>(interleaved, codec).execute(new ChangeName(ANN, NAME)))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(types(store)).containsExactly("StudentRegistered", "StudentErased");
    }

    /* The same race without the append's condition: the name is stored after the erasure. */
    @Test
    void without_the_condition_the_name_would_come_after_the_erasure() {
        InMemoryEventStore store = new InMemoryEventStore();
        store.append(List.of(codec.encode(studentRegistered(ANN)).event()));
        AtomicBoolean done = new AtomicBoolean();
        InterleavingStore interleaved = new InterleavingStore(store, request -> {
            if (!done.getAndSet(true)) {
                new DecisionLoop<>(store, codec).execute(new EraseStudent(ANN));
            }
            return Append.of(request.events());
        });

        new DecisionLoop<>(interleaved, codec).execute(new ChangeName(ANN, NAME));

        assertThat(types(store)).containsExactly("StudentRegistered", "StudentErased", "StudentNameChanged");
    }

    /* An enrollment rests on no name and no address, so it comes out as before. */
    @Test
    void an_enrollment_that_is_being_made_is_not_disturbed() {
        InMemoryEventStore store = new InMemoryEventStore();
        given(courseDefined(MATHS, seats(1)), studentRegistered(ANN))
                .past()
                .forEach(event -> store.append(List.of(event)));
        List<AppendCondition> conditions = new ArrayList<>();
        InterleavingStore interleaved = new InterleavingStore(store, request -> {
            conditions.addAll(request.conditions());
            new DecisionLoop<>(store, codec).execute(new EraseStudent(ANN));
            return request;
        });

        assertThat(new DecisionLoop<>(interleaved, codec).execute(new EnrollStudent(ANN, MATHS, 10)))
                .isInstanceOf(Outcome.Accepted.class);
        assertThat(conditions).isNotEmpty();
        assertThat(types(store)).endsWith("StudentErased", "StudentEnrolledInCourse");
    }

    private static List<String> types(InMemoryEventStore store) {
        return store.read(Query.all()).stream()
                .map(stored -> stored.event().type())
                .toList();
    }

    private static List<PersonalEvent> personal() {
        return List.of(
                new StudentRegistered(ANN, NAME, email(ANN)),
                new StudentNameChanged(ANN, NAME),
                new StudentEmailChanged(ANN, new EmailAddress("archer@example.org"), email(ANN)),
                new StudentEnrolledByOverride(ANN, MATHS, new OverrideReason("Ann Archer is ill")));
    }

    @Test
    void nothing_of_the_person_is_left_in_a_masked_event() {
        for (PersonalEvent event : personal()) {
            SequencedEvent stored = stored(codec.encode(event).event().withMetadata("{\"correlationId\":\"archer\"}"));

            Masking.Masked masked = codec.masking().mask(stored);

            assertThat(masked.payload() + masked.metadata())
                    .doesNotContainIgnoringCase("archer")
                    .doesNotContain("ann@")
                    .contains("\"ann\"");
            assertThat(masked.personalTags())
                    .isEqualTo(Set.copyOf(stored.event().tags().stream()
                            .filter(tag -> tag.value().startsWith("email:"))
                            .toList()));
            List<Tag> left = new ArrayList<>(stored.event().tags());
            left.removeAll(masked.personalTags());
            SequencedEvent again = stored(
                    Event.of(stored.event().type(), left, masked.payload()).withMetadata(masked.metadata()));
            assertThat(codec.masking().mask(again)).isEqualTo(Masking.Masked.nothingOf(again));
            assertThat(codec.decode(again.event())).isEqualTo(event.masked());
        }
    }

    @Test
    void every_event_with_a_name_an_address_or_a_reason_is_personal() {
        List<Class<?>> texts = List.of(StudentName.class, EmailAddress.class, OverrideReason.class);

        assertThat(Stream.of(EnrollmentEvent.class.getDeclaredClasses())
                        .filter(Class::isRecord)
                        .filter(event -> Arrays.stream(event.getRecordComponents())
                                .map(RecordComponent::getType)
                                .anyMatch(texts::contains)))
                .containsExactlyInAnyOrderElementsOf(
                        personal().stream().<Class<?>>map(Object::getClass).toList());
    }

    @Test
    void a_student_who_acted_alone_is_not_named_any_more_and_the_office_is() {
        Event event = codec.encode(new StudentNameChanged(ANN, NAME)).event();

        assertThat(codec.masking()
                        .mask(new SequencedEvent(
                                Position.of(1), event, Instant.EPOCH, Actor.of("issuer", "ann.archer@example.org")))
                        .actor())
                .isEqualTo(Actor.of("issuer", "erased"));
        assertThat(codec.masking().mask(stored(event)).actor()).isEqualTo(OFFICE);
    }

    private static SequencedEvent stored(Event event) {
        return new SequencedEvent(Position.of(1), event, Instant.EPOCH, OFFICE);
    }
}
