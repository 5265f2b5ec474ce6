package dev.registrar.enrollment;

import static dev.registrar.decision.testkit.Scenario.NOON;
import static dev.registrar.enrollment.ChangeWindow.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.ChangeWindow.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.ChangeWindow.Refused.WAITING_LIST_NOT_EMPTY;
import static dev.registrar.enrollment.ChangeWindow.Refused.WINDOW_UNCHANGED;
import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.EnrollmentWindow.ALWAYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeWindowTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final EnrollmentWindow OVER = new EnrollmentWindow(null, NOON.minus(DAY));
    private static final EnrollmentWindow STILL_OPEN = new EnrollmentWindow(NOON.minus(DAY), NOON.plus(DAY));
    private static final EnrollmentWindow TOMORROW = new EnrollmentWindow(NOON.plus(DAY), null);

    private static EnrollmentWindowChanged changed(EnrollmentWindow window) {
        return new EnrollmentWindowChanged(MATHS, window);
    }

    private static ChangeWindow to(EnrollmentWindow window) {
        return new ChangeWindow(MATHS, window);
    }

    @Test
    void a_window_gets_other_ends_or_none() {
        for (EnrollmentWindow window : List.of(STILL_OPEN, TOMORROW, ALWAYS)) {
            given(courseDefined(MATHS, seats(1), OVER)).when(to(window)).thenAccepted(changed(window));
        }
        given(courseDefined(MATHS, seats(1))).when(to(OVER)).thenAccepted(changed(OVER));
    }

    @Test
    void enrollments_follow_the_last_window() {
        EnrollStudent enroll = new EnrollStudent(BOB, MATHS, 10);

        given(courseDefined(MATHS, seats(1), OVER), studentRegistered(BOB), changed(STILL_OPEN))
                .when(enroll)
                .thenAccepted(studentEnrolled(BOB, MATHS));
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), changed(TOMORROW))
                .when(enroll)
                .thenRefused(EnrollStudent.Refused.OUTSIDE_ENROLLMENT_WINDOW);
    }

    @Test
    void an_unknown_course_has_no_window() {
        given(courseDefined(MUSIC, seats(1))).when(to(OVER)).thenRefused(COURSE_UNKNOWN);
    }

    @Test
    void the_present_window_is_refused_as_no_change_also_of_a_closed_course() {
        given(courseDefined(MATHS, seats(1))).when(to(ALWAYS)).thenRefused(WINDOW_UNCHANGED);
        given(courseDefined(MATHS, seats(1)), changed(OVER), courseClosed(MATHS))
                .when(to(OVER))
                .thenRefused(WINDOW_UNCHANGED);
    }

    @Test
    void a_closed_course_does_not_open_again() {
        given(courseDefined(MATHS, seats(1), OVER), courseClosed(MATHS))
                .when(to(STILL_OPEN))
                .thenRefused(COURSE_CLOSED);
    }

    @Test
    void while_students_wait_the_window_must_not_begin_later() {
        var full = given(courseDefined(MATHS, seats(1)), studentEnrolled(ANN, MATHS), studentWaits(BOB, MATHS));

        full.when(to(TOMORROW)).thenRefused(WAITING_LIST_NOT_EMPTY);
        full.when(to(STILL_OPEN)).thenAccepted(changed(STILL_OPEN));
        full.when(to(OVER)).thenAccepted(changed(OVER));
        full.at(NOON.plus(DAY)).when(to(TOMORROW)).thenAccepted(changed(TOMORROW));
    }

    /* Another client of the store appended the event. */
    @Test
    void a_window_before_the_definition_is_ignored() {
        given(changed(OVER), courseDefined(MATHS, seats(1))).when(to(OVER)).thenAccepted(changed(OVER));
    }

    /*
     * Bob's enrollment has been accepted. Before its append the window ends. The append must fail, and the second attempt
     * sees the end. Without the condition of the append Bob would be enrolled after the end.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_window_that_ends_before_the_append_counts(boolean isGuarded) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        InMemoryEventStore store = new InMemoryEventStore();
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB))
                .past()
                .forEach(event -> store.append(List.of(event)));
        AtomicBoolean done = new AtomicBoolean();
        InterleavingStore interleaved = new InterleavingStore(store, request -> {
            if (!done.getAndSet(true)) {
                store.append(List.of(codec.encode(changed(OVER)).event()));
            }
            return isGuarded ? request : Append.of(request.events());
        });

        Outcome<EnrollmentEvent, Refusal> outcome = new DecisionLoop<>(
                        interleaved, codec, RetryBounds.DEFAULT, 100, () -> NOON)
                .execute(new EnrollStudent(BOB, MATHS, 10));

        assertThat(outcome).isInstanceOf(isGuarded ? Outcome.Rejected.class : Outcome.Accepted.class);
    }
}
