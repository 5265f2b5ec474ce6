package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.StoredStates;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored form of a course's state. {@link AnyEventsTest} compares it after random events. */
class StoredCourseTest {
    private static final String STATE = """
            {"defined":true,"seats":3,"students":{"":"\\nann\\nbob\\n"},"line":{"":"\\n"},"closed":false,\
            "opensAt":null,"closesAt":"2026-10-01T00:00:00Z","prerequisites":["latin"],"times":"Mon 10:00-12:00; Wed 14:00-15:30"}""";

    @Test
    void a_state_is_read_from_a_json_object() {
        CourseFacts.State state = new CourseFacts.State(
                true,
                3,
                IdSet.EMPTY.plus("ann").plus("bob"),
                IdSet.EMPTY,
                false,
                EnrollmentWindow.stored(null, Instant.parse("2026-10-01T00:00:00Z")),
                Prerequisites.of(List.of("latin")),
                WeeklyTimes.of("Mon 10:00-12:00; Wed 14:00-15:30"));

        assertThat(StoredCourse.read(STATE)).isEqualTo(state);
        assertThat(StoredCourse.write(state)).isEqualTo(STATE);
    }

    /* A state of other code: with fields that this code does not know, or without one that it needs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"defined\":true",
                "{\"seats\":3,\"students\":{\"\":\"\\n\"},\"line\":{\"\":\"\\n\"},\"closed\":false,\"opensAt\":null,\"closesAt\":null,\"prerequisites\":[],\"times\":\"\"}"
            })
    void other_texts_are_not_states(String text) {
        assertThatThrownBy(() -> StoredCourse.read(text)).isInstanceOf(RuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"seats\":3|\"seats\":null",
                "\"seats\":3|\"seats\":3,\"room\":1",
                "{\"\":\"\\n\"}|null",
                "{\"\":\"\\n\"}|{}",
                "{\"\":\"\\n\"}|{\"\":\"\"}",
                "{\"\":\"\\n\"}|{\"\":\"ann\\n\"}",
                "{\"\":\"\\n\"}|{\"a\":\"\\nann\\n\"}",
                "\"closed\":false,|"
            })
    void a_state_with_another_field_or_broken_pages_is_not_read(String change) {
        String[] texts = change.split("\\|", -1);
        String changed = STATE.replace(texts[0], texts[1]);

        assertThat(changed).isNotEqualTo(STATE);
        assertThatThrownBy(() -> StoredCourse.read(changed)).isInstanceOf(RuntimeException.class);
    }

    /* Events of other clients may have them. */
    @Test
    void windows_that_no_command_accepts_are_kept() {
        CourseFacts.State state = CourseFacts.of(MATHS)
                .apply(
                        CourseFacts.of(MATHS).initial(),
                        new EnrollmentEvent.CourseDefined(
                                MATHS,
                                new CourseTitle("Maths"),
                                new Capacity(1),
                                EnrollmentWindow.stored(Instant.MAX, Instant.MIN)));

        assertThat(StoredCourse.read(StoredCourse.write(state))).isEqualTo(state);
    }

    /* 3,000 students with the longest ids. A fresh loop reads the first chunks, and goes on from the stored state. */
    @Test
    void a_fresh_loop_decides_on_the_stored_state_of_a_large_course() {
        int students = 3_000;
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        try (StoreDatabase database = new StoreDatabase()) {
            PostgresEventStore store = database.newStore();
            store.append(events(Stream.of(
                    courseDefined(MATHS, seats(students + 1)), studentRegistered(ANN), studentRegistered(BOB))));
            for (int i = 0; i < students; i += 500) {
                store.append(
                        events(IntStream.range(i, i + 500).mapToObj(number -> studentEnrolled(longId(number), MATHS))));
            }

            try (StoredStates states = StoredStates.in(store, metrics)) {
                assertThat(loop(store, states).execute(new EnrollStudent(ANN, MATHS, 10)))
                        .isInstanceOf(Accepted.class);
                await().untilAsserted(
                                () -> assertThat(stored(metrics, "stored")).isOne());

                assertThat(loop(store, states).execute(new EnrollStudent(BOB, MATHS, 10)))
                        .isInstanceOf(Rejected.class);
                assertThat(loop(store, states).execute(new DropStudent(ANN, MATHS)))
                        .isInstanceOf(Accepted.class);
                assertThat(loop(store, states).execute(new EnrollStudent(BOB, MATHS, 10)))
                        .isInstanceOf(Accepted.class);
                assertThat(stored(metrics, "loaded")).isGreaterThanOrEqualTo(2);
                assertThat(stored(metrics, "unreadable")).isZero();
            }
        }
    }

    private static List<Event> events(Stream<? extends EnrollmentEvent> events) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        return events.map(event -> codec.encode(event).event()).toList();
    }

    private static StudentId longId(int number) {
        return new StudentId("s%s-".formatted(number) + "x".repeat(55));
    }

    private static DecisionLoop<EnrollmentEvent> loop(PostgresEventStore store, StoredStates states) {
        return new DecisionLoop<>(
                store,
                new EnrollmentEventCodec(),
                RetryBounds.DEFAULT,
                1_000,
                InstantSource.system(),
                ContentionRecorder.off(),
                states);
    }

    private static double stored(SimpleMeterRegistry metrics, String result) {
        return metrics.find("registrar.decisions.states").tag("result", result).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
