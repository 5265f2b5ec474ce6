package dev.registrar.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Ambiguous requests, and requests that only a lenient parser would accept, are refused. */
@ServiceTest
class StrictRequestsTest {
    private static final String JSON = "Content-Type: application/json\r\n";

    private final Api api;
    private final RawClient client;

    StrictRequestsTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.client = new RawClient(port);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /api/courses  | {'title': 'A', 'title': 'B', 'capacity': 1}                                      | /title
        /api/students | {'name': 'A', 'email': 'a@x.org', 'name': 'A'}                                   | /name
        /dcb/append   | {'events': {'type': 'A', 'data': 1}, 'events': {'type': 'B', 'data': 1}}         | /events
        /dcb/append   | {'events': [{'type': 'A', 'data': 1, 'type': 'B'}]}                              | /events/0/type
        /dcb/append   | {'events': [{'type': 'A', 'data': {}, 'data': {}}]}                              | /events/0/data
        /dcb/append   | {'events': [{'type': 'A', 'data': {'a': {'b': 1}}}], 'condition': {'failIfEventsMatch': {'items': [{'types': ['A'], 'types': ['B']}]}}} | /condition/failIfEventsMatch/items/0/types
        /dcb/append   | {'events': {'type': 'A', 'data': [[{}]]}, 'condition': {'failIfEventsMatch': {}, 'after': 1, 'after': 2}} | /condition/after
        /dcb/read     | {'query': {}, 'query': {}}                                                       | /query
        /dcb/project  | {'projectors': [{'id': 'a', 'kind': 'count', 'query': {}, 'id': 'b'}]}           | /projectors/0/id
        """)
    void a_repeated_field_is_refused(String path, String body, String pointer) {
        api.post(path, body.replace('\'', '"'))
                .expectProblem(400, "duplicate-field")
                .expectPointer(pointer);
    }

    @Test
    void a_repeated_field_in_a_parameter_is_refused() {
        client.get("/dcb/read?query=%7B%22items%22:[],%22items%22:[]%7D".replace("[]", "%5B%5D"))
                .expectProblem(422, "invalid-value", "/dcb/read");
    }

    @Test
    void repeated_keys_inside_data_and_metadata_are_allowed() {
        String tag = Api.newId("tag");
        String twice = "{\"a\":1,\"a\":{\"b\":1,\"b\":[{\"c\":1,\"c\":2}]}}";
        String event =
                "{\"type\":\"Noted\",\"tags\":[\"%s\"],\"data\":%s,\"metadata\":%s}".formatted(tag, twice, twice);

        api.post("/dcb/append", "{\"events\":[%s,%s]}".formatted(event, event)).expect(200);

        JsonNode read = api.post("/dcb/read", "{\"query\":{\"items\":[{\"tags\":[\"%s\"]}]}}".formatted(tag))
                .expect(200)
                .json();
        assertThat(read.size()).isEqualTo(2);
        assertThat(read.get(1).path("data").asString()).isEqualTo(twice);
        assertThat(read.get(1).path("metadata").asString()).isEqualTo(twice);
    }

    static Stream<String> bodiesInOtherEncodings() {
        String json = "{\"title\": \"A\", \"capacity\": 1}";
        return Stream.concat(
                Stream.of(UTF_16, UTF_16BE, UTF_16LE, Charset.forName("UTF-32BE"), Charset.forName("UTF-32LE"))
                        .map(other -> new String(json.getBytes(other), ISO_8859_1)),
                Stream.of(
                        json.replace("A", "\u00c0\u00af"),
                        json.replace("A", "\u00e0\u0080\u00af"),
                        json.replace("A", "\u00ed\u00a0\u0080"),
                        json.replace("A", "\u00f4\u0090\u0080\u0080"),
                        json.replace("A", "\u00ff"),
                        json.replace("A", "\u00c3"),
                        "\u00ef\u00bb\u00bf" + json));
    }

    @ParameterizedTest
    @MethodSource("bodiesInOtherEncodings")
    void a_body_that_is_not_utf_8_is_refused(String body) {
        for (String path : List.of("/api/courses", "/dcb/append")) {
            client.send("POST " + path, JSON, body).expectProblem(400, "malformed-json", path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-16", "nonsense"})
    void a_body_declared_in_another_charset_is_refused(String charset) {
        for (String path : List.of("/api/courses", "/dcb/append", "/dcb/read")) {
            client.send("POST " + path, "Content-Type: application/json; charset=%s\r\n".formatted(charset), "{}")
                    .expectProblem(415, "unsupported-media-type", path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "text/plain; charset=nonsense", "text/plain; charset=ISO-8859-1"})
    void an_operation_without_a_body_ignores_the_content_type(String contentType) {
        assertThat(api.get("/api/courses", "Content-Type", contentType).status())
                .isEqualTo(200);
    }

    @Test
    void a_body_may_be_declared_as_utf_8() {
        api.post(
                        "/api/courses",
                        "{\"title\": \"Ä\", \"capacity\": 1}",
                        "Content-Type",
                        "application/json; charset=UTF-8")
                .expect(201);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/courses?size=5, size",
        "GET, /api/courses?limit=5&Limit=5, Limit",
        "GET, /api/courses/maths?limit=5, limit",
        "GET, /api/students/ann?a=1, a",
        "GET, /dcb/head?a, a",
        "GET, /dcb/read?limit=5, limit",
        "POST, /dcb/append?after=5, after",
        "PUT, /api/courses/maths/students/ann?force=true, force",
        "POST, /api/admin/projections/courses/pause?now=1, now"
    })
    void an_unknown_query_parameter_is_refused(String method, String target, String name) {
        RawClient.Response answer = client.send(method + " " + target, method.equals("POST") ? JSON : "", "")
                .expectProblem(400, "unknown-parameter", target.substring(0, target.indexOf('?')));

        assertThat(answer.json().at("/errors/0/parameter").asString()).isEqualTo(name);
        assertThat(answer.json().path("detail").asString()).contains(name);
    }

    /* %D9%A3 is the Arabic-Indic digit three, %EF%BC%95 the fullwidth digit five. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/courses?limit=%D9%A3",
                "/api/courses?limit=%EF%BC%95",
                "/api/courses?limit=0x10",
                "/api/courses?limit=%2B5",
                "/api/courses?limit=",
                "/api/courses?limit=0",
                "/api/courses?limit=99999999999",
                "/api/courses?limit=5&limit=5",
                "/api/courses?sort=",
                "/api/courses?sort=colour",
                "/api/courses?filter=none",
                "/api/courses?sort=seats&after=YQpi",
                "/api/courses?limit=1001",
                "/api/courses?after=zz",
                "/api/courses/maths/students?after=%D9%A3",
                "/api/courses/maths/waiting-list?limit=%D9%A3",
                "/api/courses/maths?consistency=strong&consistency=view",
                "/api/courses/maths?consistency=weak",
                "/dcb/events/%D9%A3",
                "/dcb/events?after=%D9%A3",
                "/dcb/read?options=%7B%22limit%22:%D9%A3%7D",
                "/api/imports/nonsense",
                "/api/imports/1-1-1-1-1"
            })
    void an_invalid_value_in_the_target_is_refused(String target) {
        int query = target.indexOf('?');

        client.get(target).expectProblem(422, "invalid-value", query < 0 ? target : target.substring(0, query));
    }

    @Test
    void a_position_in_a_header_has_ascii_digits() {
        client.send("GET /api/courses", "Registrar-After: \u00d9\u00a3\r\n", "")
                .expectProblem(422, "invalid-value", "/api/courses");
    }
}
