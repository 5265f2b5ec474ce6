package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The event store over HTTP, as clients of DCB stores use it. Each test has a tag of its own. */
@ServiceTest
class DcbTest {
    private final Api api;
    private final int port;
    private final MeterRegistry meters;
    private final String tag = "test:" + Api.newId("dcb");

    @Autowired
    DcbTest(@LocalServerPort int port, MeterRegistry meters) {
        this.api = new Api(port);
        this.port = port;
        this.meters = meters;
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

    private Answer read(String query, String options) {
        return api.get("/dcb/read?query=%s&options=%s".formatted(encoded(query), encoded(options)));
    }

    private static String encoded(String quoted) {
        return URLEncoder.encode(json(quoted), StandardCharsets.UTF_8);
    }

    private String tagged() {
        return "{'items': [{'tags': ['%s']}]}".formatted(tag);
    }

    private static List<String> values(JsonNode events, String field) {
        List<String> values = new ArrayList<>();
        events.forEach(event -> values.add(event.path(field).asString()));
        return values;
    }

    @Test
    void an_event_is_read_back_as_it_was_sent() {
        JsonNode answer =
                api.post("/dcb/append", """
                        {"events": {"id": "01900000-0000-7000-8000-00000000abcd", "type": "CourseDefined",
                            "tags": ["%s", "course:c1"], "data": "{\\"title\\":\\"Latin\\"}",
                            "metadata": {"by":  "office"}}}""".formatted(tag)).expect(200).json();

        assertThat(answer.path("appendConditionFailed").asBoolean()).isFalse();
        assertThat(answer.path("durationInMicroseconds").asLong()).isPositive();
        long position = answer.path("position").asLong();
        assertThat(answer.path("positions").toString()).isEqualTo("[%s,%s]".formatted(position, position));
        JsonNode read = read(tagged(), "{}").expect(200).json();
        assertThat(read.size()).isOne();
        assertThat(read.get(0).path("id").asString()).isEqualTo("01900000-0000-7000-8000-00000000abcd");
        assertThat(read.get(0).path("type").asString()).isEqualTo("CourseDefined");
        assertThat(read.get(0).path("tags").toString()).contains(tag, "course:c1");
        assertThat(read.get(0).path("data").asString()).isEqualTo("{\"title\":\"Latin\"}");
        assertThat(read.get(0).path("metadata").asString()).isEqualTo("{\"by\":  \"office\"}");
        assertThat(read.get(0).path("position").asLong()).isEqualTo(position);
        assertThat(read.get(0).path("recordedAt").asString()).endsWith("Z");
        assertThat(api.get("/dcb/events/" + position).expect(200).json()).isEqualTo(read.get(0));
        assertThat(api.get("/dcb/head").expect(200).json().path("head").asLong())
                .isGreaterThanOrEqualTo(position);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\" : [1,  2.50, 1e3, true, null, \"\\u00e4 \u00e4 \ud83d\ude00\"] }",
                "[ ]",
                "1.10",
                "-0",
                "true",
                "{\"deep\": {\"deeper\": {\"deepest\": [[[{}]]]}}}"
            })
    void data_sent_as_a_value_is_kept_as_its_exact_source_text(String value) {
        api.post(
                        "/dcb/append",
                        "{\"events\": [{\"type\": \"Noted\", \"data\":  %s  , \"tags\": [\"%s\"]}]}"
                                .formatted(value, tag))
                .expect(200);

        assertThat(values(read(tagged(), "{}").json(), "data")).containsExactly(value);
    }

    @Test
    void a_failed_append_condition_names_the_conflicting_event() {
        String guarded = """
                {'events': %s, 'condition': {'failIfEventsMatch': {'items': [{'types': ['Seated'], 'tags': ['%s']}]}}}""".formatted(event("Seated", "'{}'"), tag);
        long first = api.post("/dcb/append", json(guarded))
                .expect(200)
                .json()
                .path("position")
                .asLong();

        JsonNode second = api.post("/dcb/append", json(guarded)).expect(200).json();

        assertThat(second.path("appendConditionFailed").asBoolean()).isTrue();
        assertThat(second.path("conflict").path("position").asLong()).isEqualTo(first);
        assertThat(second.path("conflict").path("type").asString()).isEqualTo("Seated");
        assertThat(second.path("conflict").path("item").path("tags").get(0).asString())
                .isEqualTo(tag);
        assertThat(second.has("position")).isFalse();
        String after = guarded.replace("}]}}", "}]}, 'after': %s}".formatted(first));
        assertThat(api.post("/dcb/append", json(after))
                        .expect(200)
                        .json()
                        .path("appendConditionFailed")
                        .asBoolean())
                .isFalse();
        assertThat(read(tagged(), "{}").json().size()).isEqualTo(2);
    }

    @Test
    void an_append_under_a_key_is_executed_once() {
        String body = json("{'events': [%s]}".formatted(event("Paid", "1")));
        String key = Api.newId("key");

        JsonNode first = api.post("/dcb/append", body, "Idempotency-Key", key)
                .expect(200)
                .json();
        JsonNode again = api.post("/dcb/append", body, "Idempotency-Key", key)
                .expect(200)
                .json();

        assertThat(again.path("positions")).isEqualTo(first.path("positions"));
        assertThat(read(tagged(), "{}").json().size()).isOne();
        api.post("/dcb/append", body.replace("Paid", "Repaid"), "Idempotency-Key", key)
                .expectProblem(422, "idempotency-key-reused");
    }

    @Test
    void reads_support_both_directions_from_and_after_and_limits() {
        append("[%s]"
                        .formatted(IntStream.range(0, 5)
                                .mapToObj(i -> event("Counted", Integer.toString(i)))
                                .collect(Collectors.joining(","))))
                .expect(200);
        long first =
                read(tagged(), "{'limit': 1}").json().get(0).path("position").asLong();

        assertThat(data("{}")).containsExactly("0", "1", "2", "3", "4");
        assertThat(data("{'from': 0, 'after': null}")).hasSize(5);
        assertThat(data("{'after': 0}")).hasSize(5);
        assertThat(data("{'from': %s, 'after': 0}".formatted(first + 4))).containsExactly("4");
        assertThat(data("{'backwards': true}")).containsExactly("4", "3", "2", "1", "0");
        assertThat(data("{'backwards': true, 'limit': 2}")).containsExactly("4", "3");
        assertThat(data("{'from': %s}".formatted(first + 3))).containsExactly("3", "4");
        assertThat(data("{'after': %s}".formatted(first + 3))).containsExactly("4");
        assertThat(data("{'after': %s, 'backwards': true}".formatted(first + 1)))
                .containsExactly("0");
        assertThat(data("{'limit': 0}")).isEmpty();
        read(tagged(), "{'limit': 1000001}").expectProblem(422, "invalid-value").expectPointer("/options/limit");
    }

    private List<String> data(String options) {
        return values(read(tagged(), options).expect(200).json(), "data");
    }

    @Test
    void events_are_sent_as_ndjson_if_the_client_accepts_it() {
        append("[%s, %s]".formatted(event("First", "1"), event("Second", "2"))).expect(200);

        Answer lines = api.get("/dcb/read?query=" + encoded(tagged()), "Accept", "application/x-ndjson")
                .expect(200);
        Answer posted = api.post(
                        "/dcb/read", json("{'query': %s}".formatted(tagged())), "Accept", "application/x-ndjson")
                .expect(200);

        assertThat(lines.header("Content-Type")).startsWith("application/x-ndjson");
        assertThat(lines.text()
                        .lines()
                        .map(line ->
                                JsonMapper.shared().readTree(line).path("type").asString()))
                .containsExactly("First", "Second");
        assertThat(posted.text()).isEqualTo(lines.text()).endsWith("\n");
    }

    @Test
    void events_of_many_chunks_are_all_sent() {
        for (int batch = 0; batch < 2; batch++) {
            append("[%s]"
                            .formatted(IntStream.range(0, 1_000)
                                    .mapToObj(i -> event("Counted", Integer.toString(i)))
                                    .collect(Collectors.joining(","))))
                    .expect(200);
        }

        assertThat(read(tagged(), "{}").expect(200).json().size()).isEqualTo(2_000);
        JsonNode counted = api.post("/dcb/read", json("{'query': %s, 'count': true}".formatted(tagged())))
                .expect(200)
                .json();
        assertThat(counted.path("numberOfMatchingEvents").asLong()).isEqualTo(2_000);
        assertThat(counted.path("head").asLong()).isGreaterThanOrEqualTo(2_000);
        JsonNode limited = api.post(
                        "/dcb/read", json("{'query': %s, 'count': true, 'options': {'limit': 70}}".formatted(tagged())))
                .expect(200)
                .json();
        assertThat(limited.path("numberOfMatchingEvents").asLong()).isEqualTo(70);
    }

    @Test
    void the_refusal_names_the_exceeded_limit() {
        String tags = IntStream.range(0, 51).mapToObj("'t:%s'"::formatted).collect(Collectors.joining(", "));
        api.post("/dcb/append", json("{'events': {'type': 'A', 'data': 1, 'tags': [%s]}}".formatted(tags)))
                .expectProblem(422, "invalid-value")
                .expectPointer("/events/0");
        String items = "{'types': ['A%s']}";
        String query = IntStream.range(0, 101).mapToObj(items::formatted).collect(Collectors.joining(", "));
        api.post("/dcb/read", json("{'query': {'items': [%s]}}".formatted(query)))
                .expectProblem(422, "invalid-value")
                .expectPointer("/query");
        String projectors = IntStream.range(0, 101)
                .mapToObj("{'id': '%s', 'kind': 'count', 'query': {}}"::formatted)
                .collect(Collectors.joining(", "));
        api.post("/dcb/project", json("{'projectors': [%s]}".formatted(projectors)))
                .expectProblem(422, "invalid-value")
                .expectPointer("/projectors");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /dcb/append  | {'events': []}                                                    | /events
                    /dcb/append  | {}                                                                | /events
                    /dcb/append  | {'events': [null]}                                                | /events/0
                    /dcb/append  | {'events': {'data': 1}}                                           | /events/0/type
                    /dcb/append  | {'events': {'type': 'A', 'data': 1}, 'condition': {}}             | /condition/failIfEventsMatch
                    /dcb/append  | {'events': {'type': 'A', 'data': 1}, 'condition': {'failIfEventsMatch': {}, 'after': -1}} | /condition/after
                    /dcb/append  | {'events': {'type': 'A', 'data': 1, 'tags': [null]}}              | /events/0/tags/0
                    /dcb/append  | {'events': {'type': 'A', 'data': 1}, 'locks': [null]}             | /locks/0
                    /dcb/append  | {'events': {'type': 'A', 'data': 1}, 'locks': ['a'], 'lockTimeout': 9999999} | /lockTimeout
                    /dcb/read    | {'query': {'items': [{'types': [null]}]}}                         | /query/items/0/types/0
                    /dcb/read    | {'options': {'from': 1, 'after': 1}}                              | /options/from
                    /dcb/read    | {'options': {'limit': -1}}                                        | /options/limit
                    /dcb/project | {'projectors': []}                                                | /projectors
                    /dcb/project | {'projectors': [{'id': 'a', 'kind': 'sum', 'query': {}}]}         | /projectors/0/field
                    """)
    void the_refusal_of_an_invalid_value_names_its_place(String path, String body, String pointer) {
        api.post(path, json(body)).expectProblem(422, "invalid-value").expectPointer(pointer);
    }

    @Test
    void malformed_json_is_refused() {
        api.post("/dcb/append", "{\"events\": ").expectProblem(400, "malformed-json");
        api.get("/dcb/read?query=" + encoded("{'items': 1}")).expectProblem(422, "invalid-value");
        api.get("/dcb/read?query=nonsense").expectProblem(422, "invalid-value").expectPointer("/query");
        api.post("/dcb/append", "{}", "Content-Type", "text/plain").expectProblem(415, "unsupported-media-type");
        api.get("/dcb/events/987654321").expectProblem(404, "event-unknown");
    }

    @Tag("thorough")
    @Test
    void a_client_that_stops_reading_holds_no_connection_of_the_store() throws IOException {
        String data = "'%s'".formatted("x".repeat(60_000));
        for (int batch = 0; batch < 25; batch++) {
            append("[%s]"
                            .formatted(IntStream.range(0, 16)
                                    .mapToObj(i -> event("Grown", data))
                                    .collect(Collectors.joining(","))))
                    .expect(200);
        }
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(4 * 1024);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            String request = "GET /dcb/read?query=%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(encoded(tagged()));
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().read()).isPositive();

            await().during(Duration.ofMillis(500))
                    .until(() -> gauge("hikaricp.connections.active", "pool", "event-store") == 0);
            assertThat(gauge("registrar.http.requests.active")).isOne();
            // The server disconnects a client that has read nothing for server.tomcat.connection-timeout.
            await().until(() -> gauge("registrar.http.requests.active") == 0);
        }
    }

    private double gauge(String name, String... tags) {
        return meters.get(name).tags(tags).gauge().value();
    }
}
