package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** States that the store folds over HTTP. Each test has a tag of its own. */
@ServiceTest
class DcbProjectionTest {
    private final Api api;
    private final Permits projections;
    private final int maxProjections;
    private final String tag = "test:" + Api.newId("dcb");

    @Autowired
    DcbProjectionTest(@LocalServerPort int port, Permits projections, StoreOptions options) {
        this.api = new Api(port);
        this.projections = projections;
        this.maxProjections = options.maxProjections();
    }

    private Answer append(String event) {
        return api.post("/dcb/append", json("{'events': %s}".formatted(event)));
    }

    private String event(String type, String data) {
        return "{'type': '%s', 'tags': ['%s'], 'data': %s}".formatted(type, tag, data);
    }

    private static String json(String quoted) {
        return quoted.replace('\'', '"');
    }

    private String tagged() {
        return "{'items': [{'tags': ['%s']}]}".formatted(tag);
    }

    @Test
    void states_are_folded_and_returned_with_their_append_condition() {
        append("[%s, %s, %s, %s]"
                        .formatted(
                                event("Grew", "{'seats': 10, 'by': 'a'}"),
                                event("Grew", "{'seats': 2.5}"),
                                event("Shrank", "{'seats': -3}"),
                                event("Grew", "'no json'")))
                .expect(200);
        String body = """
                {'projectors': [
                    {'id': 'n', 'kind': 'count', 'query': QUERY},
                    {'id': 'any', 'kind': 'exists', 'query': {'items': [{'types': ['Closed'], 'tags': ['TAG']}]}},
                    {'id': 'sum', 'kind': 'sum', 'field': '/seats', 'query': QUERY},
                    {'id': 'min', 'kind': 'min', 'field': '/seats', 'query': QUERY},
                    {'id': 'max', 'kind': 'max', 'field': '/seats', 'query': QUERY},
                    {'id': 'by', 'kind': 'last', 'field': '/by', 'query': QUERY},
                    {'id': 'last', 'kind': 'last', 'query': QUERY}]}""".replace("QUERY", tagged()).replace("TAG", tag);

        JsonNode answer = api.post("/dcb/project", json(body)).expect(200).json();

        assertThat(answer.path("states").toString())
                .isEqualTo(json("{'n':4,'any':false,'sum':9.5,'min':-3,'max':10,'by':'a','last':'no json'}"));
        JsonNode condition = answer.path("appendCondition");
        assertThat(condition.path("after").asLong())
                .isEqualTo(answer.path("head").asLong());
        String decided = "{\"events\": %s, \"condition\": %s}".formatted(json(event("Grew", "1")), condition);
        assertThat(api.post("/dcb/append", decided)
                        .json()
                        .path("appendConditionFailed")
                        .asBoolean())
                .isFalse();
        assertThat(api.post("/dcb/append", decided)
                        .json()
                        .path("appendConditionFailed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void one_projection_too_many_is_refused_at_once() {
        String body = json("{'projectors': [{'id': 'n', 'kind': 'count', 'query': %s}]}".formatted(tagged()));

        Answer refused = whileProjectionsAre(maxProjections, () -> api.post("/dcb/project", body));

        refused.expectProblem(503, "overloaded");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.json().path("detail").asString()).contains("(limit %s)".formatted(maxProjections));
        api.post("/dcb/project", body).expect(200);
    }

    private Answer whileProjectionsAre(int number, Supplier<Answer> request) {
        return number == 0
                ? request.get()
                : projections.within(Duration.ZERO, () -> whileProjectionsAre(number - 1, request));
    }

    @Test
    void a_state_without_an_event_is_null() {
        String body =
                "{'projectors': [{'id': 'last', 'kind': 'last', 'query': %s}, {'id': 'max', 'kind': 'max', 'field': '/n', 'query': %s}]}"
                        .formatted(tagged(), tagged());

        assertThat(api.post("/dcb/project", json(body))
                        .expect(200)
                        .json()
                        .path("states")
                        .toString())
                .isEqualTo("{\"last\":null,\"max\":null}");
    }

    @Test
    void numbers_out_of_range_are_ignored() {
        append("[%s, %s, %s, %s]"
                        .formatted(
                                event("Grew", "{'n': 1}"),
                                event("Grew", "{'n': 123456789e2147483600}"),
                                event("Grew", "{'n': 1e2147483648}"),
                                event("Grew", "{'n': 2}")))
                .expect(200);
        String body = "{'projectors': [{'id': 'sum', 'kind': 'sum', 'field': '/n', 'query': %s}]}".formatted(tagged());

        assertThat(api.post("/dcb/project", json(body))
                        .expect(200)
                        .json()
                        .at("/states/sum")
                        .asInt())
                .isEqualTo(3);
    }
}
