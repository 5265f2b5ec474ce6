package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The documented requests of go-crablet and those of its load tests, under the base path of its clients. */
@ServiceTest
class GoCrabletTest {
    private final Api api;
    private final String id = Api.newId("c");

    GoCrabletTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    private JsonNode post(String operation, String body) {
        return api.post("/go-crablet" + operation, body.replace("<id>", id))
                .expect(200)
                .json();
    }

    private static String enrolled(String condition) {
        return """
                {"events": {"type": "StudentEnrolled", "data": "{\\"studentId\\": \\"student-123\\"}",
                            "tags": ["course:<id>", "student:<id>"]}%s}""".formatted(condition);
    }

    private static String unlessEnrolled(String after) {
        return enrolled("""
                , "condition": {"failIfEventsMatch": {"items": [
                    {"types": ["StudentEnrolled"], "tags": ["course:<id>", "student:<id>"]}]}%s}""".formatted(after));
    }

    private static String read(String tag) {
        return """
                {"query": {"items": [{"types": ["CoursePlanned", "StudentEnrolled"], "tags": ["%s"]}]}}""".formatted(tag);
    }

    @Test
    void the_service_is_healthy() {
        api.get("/go-crablet/health").expect(200).expectJson("{'status': 'ok'}");
    }

    @Test
    void one_event_or_a_list_of_them_is_appended() {
        JsonNode answer = post("/append", enrolled(""));
        assertThat(answer.propertyNames()).containsExactly("durationInMicroseconds", "appendConditionFailed");
        assertThat(answer.path("appendConditionFailed").asBoolean(true)).isFalse();

        post("/append", """
                {"events": [{"type": "CoursePlanned", "data": "{}", "tags": ["course:<id>"]},
                            {"type": "CoursePlanned", "data": "{}", "tags": ["course:<id>"]}]}""");

        JsonNode counted = post("/read", read("course:<id>"));
        assertThat(counted.propertyNames())
                .containsExactly("durationInMicroseconds", "numberOfMatchingEvents", "checkpointEventId");
        assertThat(counted.path("numberOfMatchingEvents").asLong()).isEqualTo(3);
    }

    @Test
    void a_condition_fails_after_an_append_and_holds_after_its_checkpoint() {
        assertThat(post("/append", unlessEnrolled(""))
                        .path("appendConditionFailed")
                        .asBoolean(true))
                .isFalse();
        assertThat(post("/append", unlessEnrolled(""))
                        .path("appendConditionFailed")
                        .asBoolean())
                .isTrue();

        String checkpoint =
                post("/read", read("course:<id>")).path("checkpointEventId").asString();
        String after = ", \"after\": \"%s\"".formatted(checkpoint);
        assertThat(post("/append", unlessEnrolled(after))
                        .path("appendConditionFailed")
                        .asBoolean(true))
                .isFalse();
        assertThat(post("/append", unlessEnrolled(after))
                        .path("appendConditionFailed")
                        .asBoolean())
                .isTrue();
        assertThat(post("/read", read("course:<id>"))
                        .path("numberOfMatchingEvents")
                        .asLong())
                .isEqualTo(2);
    }

    @Test
    void the_checkpoint_is_the_last_match_in_reading_direction_or_absent() {
        post("/append", enrolled(""));
        long first =
                post("/read", read("course:<id>")).path("checkpointEventId").asLong();
        post("/append", enrolled(""));
        post("/append", "{\"events\": {\"type\": \"Noise\", \"data\": \"{}\", \"tags\": [\"other:<id>\"]}}");
        long last = post("/read", read("course:<id>")).path("checkpointEventId").asLong();

        assertThat(last).isGreaterThan(first);
        String query = read("course:<id>").substring(1);
        JsonNode backwards = post("/read", "{\"options\": {\"backwards\": true}, " + query);
        assertThat(backwards.path("checkpointEventId").asLong()).isEqualTo(first);
        JsonNode from = post("/read", "{\"options\": {\"from\": \"%s\"}, ".formatted(last) + query);
        assertThat(from.path("numberOfMatchingEvents").asLong()).isOne();
        assertThat(from.path("checkpointEventId").asLong()).isEqualTo(last);
        assertThat(post("/read", read("nothing:<id>")).propertyNames())
                .containsExactly("durationInMicroseconds", "numberOfMatchingEvents");
    }

    @ParameterizedTest
    @ValueSource(strings = {"event-1", "\"}, {\\ \u0001 \ud83c\udf93", ""})
    void the_event_id_of_the_client_is_kept_beside_that_of_the_store(String given) {
        post("/append", """
                {"events": {"id": %s, "type": "CoursePlanned", "data": "{\\"courseId\\": 1}", "tags": ["course:<id>"]}}""".formatted(HostileValues.json(given)));

        JsonNode stored = api.post("/dcb/read", "{\"query\": {\"items\": [{\"tags\": [\"course:%s\"]}]}}".formatted(id))
                .expect(200)
                .json()
                .get(0);
        assertThat(stored.path("data").asString()).isEqualTo("{\"courseId\": 1}");
        assertThat(stored.path("id").asString()).isNotEqualTo(given);
        assertThat(JsonMapper.shared()
                        .readTree(stored.path("metadata").asString())
                        .path("clientEventId")
                        .asString())
                .isEqualTo(given);
    }

    /* As sent by go-crablet's quick scripts for k6. */
    @Test
    void fields_that_go_crablet_ignores_are_ignored() {
        post("/append", """
                {"expectedVersion": 0, "events": [{"type": "CoursePlanned", "data": "{}", "tags": ["course:<id>"],
                 "metadata": {"source": "k6"}}]}""");
        post("/project", """
                {"expectedVersion": 0, "projectors": [{"id": "planned", "stateSchema": {}, "query":
                 {"items": [{"tags": ["course:<id>"]}]}}]}""");

        assertThat(post(
                                "/read",
                                "{\"expectedVersion\": 0, "
                                        + read("course:<id>").substring(1))
                        .path("numberOfMatchingEvents")
                        .asLong())
                .isOne();
    }

    @Test
    void an_event_that_go_crablet_does_not_support_is_refused() {
        api.post(
                        "/go-crablet/append",
                        "{\"events\": {\"type\": \"A\", \"data\": \"{}\", \"id\": \"%s\"}}".formatted("x".repeat(256)))
                .expectProblem(422, "invalid-value")
                .expectPointer("/events/0/id");
        api.post("/go-crablet/append", "{\"events\": [{\"type\": \"A\"}]}")
                .expectProblem(422, "invalid-value")
                .expectPointer("/events/0/data");
        api.post("/go-crablet/append", "{\"events\": [{\"type\": \"A\", \"data\": {}}]}")
                .expectProblem(422, "invalid-value");
        api.post("/go-crablet/append", "{\"events\": []}").expectProblem(422, "invalid-value");
        api.post("/go-crablet/append", "{\"events\": ").expect(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "REPEATABLE READ"})
    void each_isolation_level_is_accepted(String level) {
        String body = unlessEnrolled("").replace("<id>", id);
        api.post("/go-crablet/append", body, "X-Append-If-Isolation", level).expect(200);
        assertThat(api.post("/go-crablet/append", body, "X-Append-If-Isolation", level)
                        .expect(200)
                        .json()
                        .path("appendConditionFailed")
                        .asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"query\": {}}",
                "{\"query\": {\"items\": []}}",
                "{\"query\": {\"items\": [{\"tags\": [\"user:1\", \"user\"]}]}}"
            })
    void a_read_without_items_or_with_a_tag_without_colon_is_a_bad_request(String body) {
        api.post("/go-crablet/read", body).expect(400);
    }

    @Test
    void a_condition_without_items_is_refused_rather_than_dropped() {
        String body = enrolled(", \"condition\": {\"failIfEventsMatch\": {\"items\": []}}")
                .replace("<id>", id);
        api.post("/go-crablet/append", body).expect(400);
        assertThat(post("/read", read("course:<id>"))
                        .path("numberOfMatchingEvents")
                        .asLong())
                .isZero();
    }

    /* The scenarios of go-crablet's load test, with its JavaScript functions. */
    @Test
    void the_projectors_of_the_load_tests_count() {
        post("/append", enrolled(""));
        post("/append", enrolled(""));

        JsonNode answer = post("/project", """
                {"projectors": [
                    {"id": "counter", "initialState": 0,
                     "query": {"items": [{"types": ["StudentEnrolled"], "tags": ["student:<id>"]}]},
                     "transitionFunction": "function(state, event) { return state + 1; }"},
                    {"id": "complex", "initialState": {"users": 0},
                     "query": {"items": [{"types": ["UserCreated"], "tags": ["user"]},
                                         {"types": ["StudentEnrolled"], "tags": ["course:<id>"]}]},
                     "transitionFunction": "function(state, event) { state.users++; return state; }"}],
                 "after": "0"}""");

        assertThat(answer.propertyNames()).containsExactly("durationInMicroseconds", "states", "appendCondition");
        assertThat(answer.path("states").toString()).isEqualTo("{\"counter\":2,\"complex\":2}");
    }

    @Test
    void projectors_are_found_by_name_and_an_unknown_name_is_refused() {
        post(
                "/append",
                "{\"events\": {\"type\": \"Paid\", \"data\": \"{\\\"amount\\\": 5}\", \"tags\": [\"c:<id>\"]}}");
        post(
                "/append",
                "{\"events\": {\"type\": \"Paid\", \"data\": \"{\\\"amount\\\": 7}\", \"tags\": [\"c:<id>\"]}}");
        String projector = """
                {"projectors": [{"id": "p", "query": {"items": [{"tags": ["c:<id>"]}]},
                 "transitionFunction": "%s", "field": "/amount"}]}""";

        assertThat(post("/project", projector.formatted("sum")).path("states").toString())
                .isEqualTo("{\"p\":12}");
        assertThat(post("/project", projector.formatted("last")).path("states").toString())
                .isEqualTo("{\"p\":7}");
        assertThat(post("/project", projector.formatted("exists"))
                        .path("states")
                        .toString())
                .isEqualTo("{\"p\":true}");
        api.post("/go-crablet/project", projector.formatted("median").replace("<id>", id))
                .expectProblem(422, "invalid-value")
                .expectPointer("/projectors/0/transitionFunction");
    }

    @Test
    void the_append_condition_of_a_projection_holds_until_a_state_changes() {
        post("/append", enrolled(""));
        String projectors = """
                {"projectors": [{"id": "p", "query": {"items": [{"tags": ["course:<id>"]}]}}]%s}""";
        JsonNode projected = post("/project", projectors.formatted(""));
        JsonNode condition = projected.path("appendCondition");
        post("/append", "{\"events\": {\"type\": \"Noise\", \"data\": \"{}\", \"tags\": [\"other:<id>\"]}}");

        String body = enrolled(", \"condition\": " + condition);
        assertThat(post("/append", body).path("appendConditionFailed").asBoolean(true))
                .isFalse();
        assertThat(post("/append", body).path("appendConditionFailed").asBoolean())
                .isTrue();
        JsonNode later = post("/project", projectors.formatted(", \"after\": " + condition.path("after")));
        assertThat(later.path("states").path("p").asLong()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"event-1\"", "{}", "\"9999999999999999999\""})
    void a_checkpoint_that_no_response_contained_is_refused(String after) {
        api.post("/go-crablet/append", unlessEnrolled(", \"after\": " + after).replace("<id>", id))
                .expectProblem(422, "invalid-value")
                .expectPointer("/condition/after");
    }

    @Test
    void the_store_cannot_be_emptied_unless_load_tests_are_enabled() {
        api.post("/load-test/clear", "").expect(404);
        api.post("/go-crablet/cleanup", "").expect(404);
        api.post("/go-crablet/load-test-data?size=tiny", "").expect(404);
    }
}
