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
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.Refusal;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.problem.ContendedException;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.core.context.SecurityContextHolder;

/** The responses to writes that end without an outcome of the domain. */
class WritesTest {
    private static final CourseId MATHS = new CourseId("maths");
    private static final CourseId MUSIC = new CourseId("music");

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

    private void define(CourseId course) {
        answer(writes, new DefineCourse(course, new CourseTitle("T"), new Capacity(1), EnrollmentWindow.ALWAYS));
    }

    private ResponseEntity<Object> look(Supplier<ChangePrerequisites> look) {
        return writes.answer(look, accepted -> Writes.Answer.<Object>changed(null));
    }

    private Writes writes() {
        return new Writes(
                new DecisionLoop<>(store, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 1_000, () -> Instant.EPOCH),
                new MockHttpServletRequest());
    }

    private static <R extends Refusal> ResponseEntity<Object> answer(
            Writes writes, Decision<EnrollmentEvent, R> decision) {
        return writes.answer(decision, accepted -> Writes.Answer.<Object>changed(null));
    }
}
