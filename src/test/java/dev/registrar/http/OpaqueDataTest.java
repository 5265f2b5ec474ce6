package dev.registrar.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import java.net.URLEncoder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Data that is not JSON, or that is dangerous without escaping, passes unchanged through every read of the event
 * store's API.
 */
@ServiceTest
class OpaqueDataTest {
    private static final List<String> DATA = List.of(
            "not json",
            "",
            "null",
            "{\"open\":",
            "{} {}",
            "[".repeat(20_000),
            "9".repeat(5_000),
            "1e999999999",
            "\n\ndata: {\"position\":1}\n\nevent: forged\r\nid: 7\r\r",
            "\u0001\u001f\u007f\u0085\u2028\u2029\ufeff",
            "\ud83c\udf93 \"quoted\" \\ </script>",
            "\\ud800",
            "\uffff");

    private final Api api;
    private final int port;
    private final String tag = "test:" + Api.newId("opaque");
    private long first;

    OpaqueDataTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.port = port;
    }

    @BeforeEach
    void append() {
        List<String> events = DATA.stream()
                .map(data -> "{\"type\": \"Noted\", \"tags\": [\"%s\"], \"data\": %s, \"metadata\": %2$s}"
                        .formatted(tag, HostileValues.json(data)))
                .toList();
        first = api.post("/dcb/append", "{\"events\": [%s]}".formatted(String.join(",", events)))
                .expect(200)
                .json()
                .path("positions")
                .get(0)
                .asLong();
    }

    private String query() {
        return "?query=" + URLEncoder.encode("{\"items\": [{\"tags\": [\"%s\"]}]}".formatted(tag), UTF_8);
    }

    @Test
    void a_read_returns_the_data_unchanged_as_an_array_and_as_lines() {
        assertDataIn(api.get("/dcb/read" + query()).expect(200).json().valueStream());
        assertDataIn(lines(api.get("/dcb/read" + query(), "Accept", "application/x-ndjson")
                .expect(200)
                .text()
                .lines()));
    }

    @Test
    void an_event_can_be_looked_up() {
        assertDataIn(IntStream.range(0, DATA.size())
                .mapToObj(i -> api.get("/dcb/events/" + (first + i)).expect(200).json()));
    }

    @Test
    void live_streams_keep_each_event_in_its_own_frame() {
        try (LiveClient lines = LiveClient.get(port, "/dcb/events" + query(), "Accept", "application/x-ndjson");
                LiveClient frames = LiveClient.get(port, "/dcb/events" + query(), "Accept", "text/event-stream")) {
            lines.awaitLines(DATA.size());
            assertDataIn(lines(lines.dataLines().stream()));

            frames.awaitLines(3 * DATA.size());
            List<String> received = frames.dataLines();
            assertThat(received).hasSize(3 * DATA.size());
            assertDataIn(lines(IntStream.range(0, DATA.size())
                    .mapToObj(i -> received.get(3 * i + 2).substring("data: ".length()))));
            assertThat(received).filteredOn(line -> line.startsWith("event:")).containsOnly("event: Noted");
        }
    }

    @Test
    void projections_count_such_events_but_find_no_value_in_them() {
        String items = "{\"items\": [{\"tags\": [\"%s\"]}]}".formatted(tag);
        String projectors = Stream.of("count", "exists", "last", "sum", "min", "max")
                .map(kind -> "{\"id\": \"%1$s\", \"kind\": \"%1$s\", \"query\": %2$s, \"field\": \"/amount\"}"
                        .formatted(kind, items))
                .map(projector -> projector.contains("count") || projector.contains("exists")
                        ? projector.replace(", \"field\": \"/amount\"", "")
                        : projector)
                .reduce((one, other) -> one + "," + other)
                .orElseThrow();

        JsonNode states = api.post("/dcb/project", "{\"projectors\": [%s]}".formatted(projectors))
                .expect(200)
                .json()
                .path("states");

        assertThat(states.path("count").asInt()).isEqualTo(DATA.size());
        assertThat(states.path("exists").asBoolean()).isTrue();
        assertThat(states.path("sum").asInt()).isZero();
        assertThat(states.path("min").isNull()).isTrue();
        assertThat(states.path("max").isNull()).isTrue();
    }

    private static Stream<JsonNode> lines(Stream<String> lines) {
        return lines.map(line -> JsonMapper.shared().readTree(line));
    }

    private static void assertDataIn(Stream<JsonNode> events) {
        List<JsonNode> all = events.toList();
        assertThat(all).map(event -> event.path("data").asString()).isEqualTo(DATA);
        assertThat(all).map(event -> event.path("metadata").asString()).isEqualTo(DATA);
    }
}
