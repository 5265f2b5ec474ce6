package dev.registrar.enrollment;

import dev.registrar.decision.StoredForm;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The stored form of a {@link CourseFacts.State}: a JSON object. A text with other fields is not a state. */
record StoredCourse(
        boolean defined,
        int seats,
        Map<String, String> students,
        Map<String, String> line,
        boolean closed,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        List<String> prerequisites,
        String times) {
    private static final int VERSION = 1;
    /** Folding as many events takes a few milliseconds. */
    private static final int EVERY = 1_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    static StoredForm<CourseFacts.State> of(CourseId course) {
        return new StoredForm<>("course/" + course, VERSION, EVERY, StoredCourse::write, StoredCourse::read);
    }

    static String write(CourseFacts.State state) {
        return JSON.writeValueAsString(new StoredCourse(
                state.defined(),
                state.seats(),
                state.students().pages(),
                state.line().pages(),
                state.closed(),
                state.window().opensAt(),
                state.window().closesAt(),
                state.prerequisites().ids(),
                state.times().toString()));
    }

    static CourseFacts.State read(String text) {
        StoredCourse stored = JSON.readValue(text, StoredCourse.class);
        return new CourseFacts.State(
                stored.defined,
                stored.seats,
                IdSet.of(stored.students),
                IdSet.of(stored.line),
                stored.closed,
                EnrollmentWindow.stored(stored.opensAt, stored.closesAt),
                Prerequisites.of(stored.prerequisites),
                WeeklyTimes.of(stored.times));
    }
}
