package dev.registrar.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.LiveClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Live events over HTTP. Each test has a tag of its own. */
@ServiceWithOtherSettingsTest
class LiveTest {
    private static final int MOST_LISTENERS = ServiceWithOtherSettingsTest.MAX_LISTENERS;
    private static final String[] LINES = {"Accept", "application/x-ndjson"};

    private final int port;
    private final Api api;
    private final MeterRegistry meters;
    private final String tag = "test:" + Api.newId("live");

    LiveTest(@LocalServerPort int port, @Autowired MeterRegistry meters) {
        this.port = port;
        this.api = new Api(port);
        this.meters = meters;
    }

    @BeforeEach
    void noListenerIsLeft() {
        awaitListeners(0);
    }

    private void awaitListeners(int count) {
        await().until(() -> listeners() == count);
    }

    private double listeners() {
        return meters.get("registrar.live.listeners").gauge().value();
    }

    private long append(String type, String tagged) {
        return api.post(
                        "/dcb/append",
                        "{\"events\": {\"type\": \"%s\", \"tags\": [\"%s\"], \"data\": {\"by\":  \"Jürgen\"}}}"
                                .formatted(type, tagged))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    private static String tagged(String tag) {
        return "?query=" + URLEncoder.encode("{\"items\": [{\"tags\": [\"%s\"]}]}".formatted(tag), UTF_8);
    }

    private String events(String more) {
        return "/dcb/events" + tagged(tag) + more;
    }

    private List<String> read(String tag) {
        return api.get("/dcb/read" + tagged(tag), LINES)
                .expect(200)
                .text()
                .lines()
                .toList();
    }

    @Test
    void server_sent_events_are_framed_as_in_the_standard() {
        long first = append("CourseDefined", tag);
        try (LiveClient client = LiveClient.get(port, events(""), "Accept", "text/event-stream")) {
            client.awaitLines(3);
            long second = append("StudentEnrolled", tag);
            client.awaitLines(6);

            assertThat(client.status()).isEqualTo(200);
            assertThat(client.header("Content-Type")).startsWith("text/event-stream");
            assertThat(client.header("Cache-Control")).isEqualTo("no-store");
            assertThat(client.header("X-Correlation-Id")).isNotEmpty();
            List<String> stored = read(tag);
            assertThat(blocks(client))
                    .containsExactly(
                            "id: %s\nevent: CourseDefined\ndata: %s".formatted(basis(first, client), stored.getFirst()),
                            "id: %s\nevent: StudentEnrolled\ndata: %s"
                                    .formatted(basis(second, client), stored.getLast()));
        }
    }

    /* The event id that the store derives from its history and the position. */
    private String basis(long position, LiveClient client) {
        String incarnation = client.header("Registrar-Basis").split("\\.", -1)[1];
        String id = api.get("/dcb/events/" + position).json().path("id").asString();
        return "%s.%s.%s".formatted(position, incarnation, id);
    }

    /* A block ends with an empty line; a heartbeat is also a block. */
    private static List<String> blocks(LiveClient client) {
        List<String> blocks = new ArrayList<>();
        await().until(() -> client.lines().getLast().isEmpty());
        for (String block : (String.join("\n", client.lines()) + "\n").split("\n\n", -1)) {
            if (!block.equals(":") && !block.isEmpty()) {
                blocks.add(block);
            }
        }
        return blocks;
    }

    @Test
    void a_type_of_several_lines_cannot_forge_an_event() {
        append("Noted\\ndata: forged", tag);

        try (LiveClient client = LiveClient.get(port, events(""))) {
            assertThat(client.awaitLines(3).dataLines().get(1)).isEqualTo("event: Noted data: forged");
        }
    }

    @Test
    void a_reconnecting_listener_continues_after_its_last_event() {
        long first = append("Noted", tag);
        long second = append("Noted", tag);
        append("Noted", tag);

        try (LiveClient after = LiveClient.get(port, events("&after=" + first), LINES);
                LiveClient again = LiveClient.get(
                        port,
                        events("&after=" + first),
                        "Accept",
                        "application/x-ndjson",
                        "Last-Event-ID",
                        Long.toString(second))) {
            after.awaitLines(2);
            append("Noted", tag);
            after.awaitLines(3);
            again.awaitLines(2);

            assertThat(after.dataLines()).isEqualTo(read(tag).subList(1, 4));
            assertThat(again.dataLines()).isEqualTo(read(tag).subList(2, 4));
        }
    }

    @Test
    void a_heartbeat_is_a_comment_or_an_empty_line() {
        try (LiveClient events = LiveClient.get(port, events(""));
                LiveClient lines = LiveClient.get(port, events(""), LINES)) {
            await().until(() -> events.lines().size() >= 6 && lines.lines().size() >= 3);

            assertThat(List.copyOf(events.lines()).subList(0, 4)).containsExactly(":", "", ":", "");
            assertThat(lines.lines()).containsOnly("");
        }
    }

    @Test
    void a_course_has_a_stream_of_its_events() {
        String course = api.course(10);
        String other = api.course(10);
        String student = api.student();
        try (LiveClient client = LiveClient.get(port, "/api/courses/%s/events".formatted(course), LINES)) {
            client.awaitLines(1);
            api.enroll(student, other).expect(201);
            api.enroll(student, course).expect(201);
            client.awaitLines(2);

            assertThat(client.dataLines()).isEqualTo(read("course:" + course));
            assertThat(client.dataLines().getLast()).contains("student:" + student);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/dcb/events?after=x, 422, invalid-value",
        "/dcb/events?after=1000000000, 422, invalid-value",
        "/dcb/events?query=%7B%22items%22:%5B%7B%22tags%22:%5B%22%22%5D%7D%5D%7D, 422, invalid-value",
        "/api/courses/none/events, 404, course-unknown",
        "/api/courses/-/events, 422, invalid-value"
    })
    void an_invalid_request_gets_a_problem_and_no_stream(String path, int status, String code) {
        api.get(path, "Accept", "text/event-stream").expectProblem(status, code);
        assertThat(api.send("HEAD", events(""), "").header("Content-Type")).startsWith("text/event-stream");
        api.get("/dcb/events", "Accept", "application/pdf").expect(406);
        assertThat(listeners()).isZero();
    }

    @Test
    void a_stream_over_http_2_leaves_its_connection_to_other_requests() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        try {
            HttpResponse<Stream<String>> stream =
                    client.send(request("/dcb/events" + tagged(tag)), BodyHandlers.ofLines());
            HttpResponse<String> other = client.send(request("/dcb/head"), BodyHandlers.ofString());
            append("Noted", tag);

            assertThat(stream.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(other.statusCode()).isEqualTo(200);
            assertThat(stream.body().anyMatch("event: Noted"::equals)).isTrue();
        } finally {
            client.shutdownNow();
        }
        awaitListeners(0);
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s".formatted(port, path)))
                .build();
    }

    @Test
    void listeners_get_only_their_events_and_hold_no_request_permits() {
        List<LiveClient> all = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_LISTENERS; i++) {
                all.add(LiveClient.get(port, "/dcb/events" + tagged(tag + "-" + i), LINES));
            }
            assertThat(all).allSatisfy(client -> assertThat(client.status()).isEqualTo(200));
            Answer oneMore = api.get(events("")).expectProblem(503, "overloaded");
            assertThat(oneMore.header("Retry-After")).isEqualTo("1");
            await().until(() ->
                    meters.get("registrar.http.requests.active").gauge().value() == 0);

            for (int i = 0; i < MOST_LISTENERS; i++) {
                append("Noted", tag + "-" + i);
            }
            all.forEach(client -> client.awaitLines(1));
            append("Noted", tag + "-0");
            all.getFirst().awaitLines(2);

            for (int i = 0; i < MOST_LISTENERS; i++) {
                assertThat(all.get(i).dataLines()).isEqualTo(read(tag + "-" + i));
            }
        } finally {
            all.forEach(LiveClient::close);
        }
        awaitListeners(0);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void a_disconnected_listener_releases_its_place_without_an_error(CapturedOutput log) {
        for (int i = 0; i < 3; i++) {
            try (LiveClient client = LiveClient.get(port, events(""))) {
                assertThat(client.status()).isEqualTo(200);
                awaitListeners(1);
            }
            awaitListeners(0);
        }
        assertThat(log.getOut()).doesNotContain("already committed", " ERROR ");
    }
}
