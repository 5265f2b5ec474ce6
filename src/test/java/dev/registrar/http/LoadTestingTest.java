package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** The operations of a service on which load tests are enabled. */
@ServiceWithOtherSettingsTest
class LoadTestingTest {
    private static final String EVENT =
            "{\"events\": {\"type\": \"Noted\", \"tags\": [\"note:1\"], \"data\": {\"a\": 1}}}";

    private final Api api;

    LoadTestingTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @BeforeEach
    void clear() {
        api.post("/load-test/clear", "").expect(200).expectJson("{'head': 0}");
    }

    @Test
    void positions_of_a_cleared_store_start_at_1() {
        assertThat(append(EVENT)).isOne();
        assertThat(append(EVENT)).isEqualTo(2);

        clear();

        assertThat(api.get("/dcb/head").json().path("head").asLong()).isZero();
        assertThat(api.get("/dcb/read").json().isEmpty()).isTrue();
        assertThat(append(EVENT)).isOne();
    }

    private long append(String body) {
        return api.post("/dcb/append", body).expect(200).json().path("position").asLong();
    }

    @Test
    void commands_do_not_use_states_cached_before_the_clearing() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);

        clear();

        api.get("/api/courses/%s?consistency=strong".formatted(course)).expectProblem(404, "course-unknown");
        api.enroll(api.student(), course).expectProblem(404, "course-unknown");
    }

    @Test
    void a_data_set_is_the_same_at_every_load() {
        JsonNode loaded = api.post("/load-test/data?size=tiny", "").expect(200).json();
        assertThat(loaded.path("courses").asInt()).isEqualTo(5);
        assertThat(loaded.path("students").asInt()).isEqualTo(10);
        assertThat(loaded.path("enrollments").asInt()).isEqualTo(20);
        assertThat(loaded.path("events").asInt()).isEqualTo(35);
        String first = withoutTimes(api.get("/dcb/read").expect(200));
        assertThat(api.get("/dcb/read").json().size()).isEqualTo(35);

        clear();
        api.post("/load-test/data?size=tiny", "").expect(200);

        assertThat(withoutTimes(api.get("/dcb/read"))).isEqualTo(first);
        api.get("/api/courses/course-1", "Registrar-After", "35").expect(200);
    }

    private static String withoutTimes(Answer answer) {
        return answer.text().replaceAll("\"recordedAt\":\"[^\"]*\"", "");
    }

    @Test
    void a_data_set_needs_an_empty_store_and_a_repetition_changes_nothing() {
        api.post("/load-test/data?size=tiny", "").expect(200);

        api.post("/load-test/data?size=tiny", "").expect(200);
        api.post("/load-test/data?size=small", "").expectProblem(409, "data-set-conflict");

        assertThat(api.get("/dcb/head").json().path("head").asLong()).isEqualTo(35);
    }

    @Test
    void an_unknown_size_is_refused() {
        api.post("/load-test/data?size=gigantic", "")
                .expectProblem(422, "invalid-value")
                .expectPointer("/size");
        api.post("/load-test/data", "").expectProblem(422, "invalid-value");
    }

    @Test
    void the_baseline_parses_and_responds_but_appends_nothing() {
        JsonNode answer = api.post("/load-test/empty", EVENT).expect(200).json();

        assertThat(answer.path("appendConditionFailed").asBoolean(true)).isFalse();
        assertThat(answer.path("positions").toString()).isEqualTo("[1,1]");
        assertThat(api.get("/dcb/head").json().path("head").asLong()).isZero();
        api.post("/load-test/empty", "{\"events\": {\"type\": \"\"}}").expectProblem(422, "invalid-value");
    }

    @Test
    void clients_of_go_crablet_clear_and_load_the_store_at_their_own_paths() {
        append(EVENT);

        JsonNode cleared = api.post("/go-crablet/cleanup", "").expect(200).json();
        JsonNode loaded =
                api.post("/go-crablet/load-test-data?size=tiny", "").expect(200).json();

        assertThat(cleared.path("success").asBoolean()).isTrue();
        assertThat(loaded.path("success").asBoolean()).isTrue();
        assertThat(loaded.path("dataset_size").asString()).isEqualTo("tiny");
        assertThat(loaded.path("courses").asInt()).isEqualTo(5);
        assertThat(loaded.path("students").asInt()).isEqualTo(10);
        assertThat(loaded.path("enrollments").asInt()).isEqualTo(20);
        assertThat(api.get("/dcb/head").json().path("head").asLong()).isEqualTo(35);
        api.post("/go-crablet/load-test-data?size=gigantic", "").expectProblem(422, "invalid-value");
    }
}
