package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.Deadline;
import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.http.problem.ContendedException;
import dev.registrar.http.problem.KeptRefusals;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.core.context.SecurityContextHolder;

/** The responses to writes that change nothing, or end without an outcome of the domain. */
class WritesTest {
    private static final CourseId MATHS = new CourseId("maths");
    private static final CourseId MUSIC = new CourseId("music");
    private static final StudentId ANN = new StudentId("ann");
    private static final StudentId BOB = new StudentId("bob");

    private final EventStore store = new InMemoryEventStore();
    private final Writes writes = writes();
    private final Writes another = writes();

    @BeforeEach
    void callLocally() {
        SecurityContextHolder.getContext()
                .setAuthentication(CallerAuthentication.of(Caller.local(), Set.of(), Instant.MAX));
    }

    @AfterEach
    void endCall() {
        SecurityContextHolder.clearContext();
    }

    /* The first command decides on stale cached state. Its conflict is not an attempt, and no time is left for an attempt. */
    @Test
    void no_attempt_before_the_deadline_is_overload_not_contention() {
        answer(writes, new DefineCourse(MATHS, new CourseTitle("Maths"), new Capacity(1), EnrollmentWindow.ALWAYS));
        answer(writes, new ChangeCapacity(MATHS, new Capacity(2)));
        answer(another, new ChangeCapacity(MATHS, new Capacity(3)));

        assertThatThrownBy(() -> Deadline.within(
                        Duration.ZERO, () -> answer(writes, new ChangeCapacity(MATHS, new Capacity(4)))))
                .isInstanceOf(OverloadedException.class);
    }

    /*
     * The required courses change between the first look-up and its decision, so the command is built again from a
     * second look-up.
     */
    @Test
    void an_outdated_look_up_is_repeated() {
        Prerequisites music = new Prerequisites(Set.of(MUSIC));
        define(MATHS);
        define(MUSIC);
        AtomicInteger looks = new AtomicInteger();

        ResponseEntity<Object> answer = look(
                () -> new ChangePrerequisites(MATHS, music, looks.incrementAndGet() == 1 ? Set.of() : Set.of(MUSIC)));

        assertThat(answer.getStatusCode().value()).isEqualTo(204);
        assertThat(looks).hasValue(2);
    }

    @Test
    void look_ups_that_are_always_outdated_end_as_contention() {
        define(MATHS);
        define(MUSIC);
        AtomicInteger looks = new AtomicInteger();

        assertThatThrownBy(() -> look(() -> {
                    looks.incrementAndGet();
                    return new ChangePrerequisites(MATHS, new Prerequisites(Set.of(MUSIC)), Set.of());
                }))
                .isInstanceOf(ContendedException.class);
        assertThat(looks).hasValue(10);
    }

    static Stream<Decision<EnrollmentEvent, ? extends Refusal>> held() {
        return Stream.of(
                new ChangeCapacity(MATHS, new Capacity(1)),
                new ChangePrerequisites(MATHS, Prerequisites.NONE, Set.of()),
                new ChangeTier(ANN, Tier.BASIC),
                new EnrollStudent(ANN, MATHS, 2),
                new DropStudent(BOB, MATHS),
                new JoinWaitingList(BOB, MATHS),
                new LeaveWaitingList(ANN, MATHS));
    }

    @ParameterizedTest
    @MethodSource("held")
    void a_command_whose_state_holds_is_accepted_without_events(Decision<EnrollmentEvent, ? extends Refusal> command) {
        populate();
        long head = store.head().position().value();

        assertThat(answer(writes, command).getStatusCode().value()).isEqualTo(204);

        assertThat(store.head().position().value()).isEqualTo(head);
    }

    static Stream<Decision<EnrollmentEvent, ? extends Refusal>> refused() {
        return Stream.of(
                new DefineCourse(MATHS, new CourseTitle("T"), new Capacity(1), EnrollmentWindow.ALWAYS),
                new RegisterStudent(ANN, new StudentName("Ann"), new EmailAddress("ann@example.org")),
                new EnrollStudent(BOB, MATHS, 2),
                new JoinWaitingList(ANN, MATHS),
                new CloseCourse(MUSIC));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void every_other_refusal_is_a_conflict(Decision<EnrollmentEvent, ? extends Refusal> command) {
        populate();

        assertThat(answer(writes, command).getStatusCode().value()).isEqualTo(409);
    }

    /* One service has cached that Ann is enrolled; another one drops her, and enrolls her again. */
    @Test
    void whether_a_state_holds_is_not_decided_on_cached_states() {
        define(MUSIC);
        register(ANN);
        EnrollStudent enroll = new EnrollStudent(ANN, MUSIC, 2);
        DropStudent drop = new DropStudent(ANN, MUSIC);
        answer(writes, enroll);

        answer(another, drop);
        answer(writes, enroll);
        assertThat(store.count(Query.of(QueryItem.types("StudentEnrolledInCourse"))))
                .isEqualTo(2);

        answer(writes, drop);
        answer(another, enroll);
        answer(writes, drop);
        assertThat(store.count(Query.of(QueryItem.types("StudentDroppedCourse"))))
                .isEqualTo(3);
    }

    /* Ann has the only seat in maths, Bob waits for it, and music is closed. */
    private void populate() {
        define(MATHS);
        define(MUSIC);
        register(ANN);
        register(BOB);
        answer(writes, new ChangeTier(ANN, Tier.BASIC));
        answer(writes, new EnrollStudent(ANN, MATHS, 2));
        answer(writes, new JoinWaitingList(BOB, MATHS));
        answer(writes, new CloseCourse(MUSIC));
    }

    private void register(StudentId student) {
        answer(
                writes,
                new RegisterStudent(
                        student, new StudentName("N"), new EmailAddress("%s@example.org".formatted(student))));
    }

    private void define(CourseId course) {
        answer(writes, new DefineCourse(course, new CourseTitle("T"), new Capacity(1), EnrollmentWindow.ALWAYS));
    }

    private ResponseEntity<Object> look(Supplier<ChangePrerequisites> look) {
        return writes.answer(look, accepted -> Writes.Answer.<Object>changed(null));
    }

    private Writes writes() {
        return new Writes(
                new DecisionLoop<>(store, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 1_000, () -> Instant.EPOCH),
                new KeptRefusals(new KeptRefusals.Settings(1)),
                new MockHttpServletRequest());
    }

    private static <R extends Refusal> ResponseEntity<Object> answer(
            Writes writes, Decision<EnrollmentEvent, R> decision) {
        return writes.answer(decision, accepted -> Writes.Answer.<Object>changed(null));
    }
}
