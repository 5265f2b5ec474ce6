package dev.registrar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.projection.PublisherUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Events reach a receiver by HTTP as signed batches of CloudEvents. */
class HttpPublisherTest {
    private static final String SECRET = "a secret of both sides";
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private record Received(String body, String contentType, String signature) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    /** The status of the answer to a body. */
    private ToIntFunction<String> answers = body -> 204;

    private HttpServer receiver;
    private HttpPublisher publisher;

    @BeforeEach
    void open() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/events", this::receive);
        receiver.start();
        URI url = URI.create(
                "http://127.0.0.1:%s/events".formatted(receiver.getAddress().getPort()));
        publisher = new HttpPublisher(url, SECRET, Duration.ofMinutes(1), () -> NOW);
    }

    @AfterEach
    void close() {
        publisher.close();
        receiver.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        received.add(new Received(
                body,
                exchange.getRequestHeaders().getFirst("Content-Type"),
                exchange.getRequestHeaders().getFirst(HttpPublisher.SIGNATURE)));
        exchange.sendResponseHeaders(answers.applyAsInt(body), -1);
        exchange.close();
    }

    private static CloudEvent event(long position, String key, String payload) {
        return new CloudEvent(
                new SequencedEvent(
                        Position.of(position),
                        Event.of(
                                new UUID(0, position),
                                "Told \"so\"",
                                List.of(new Tag(key)),
                                payload,
                                Event.NO_METADATA),
                        NOW),
                "urn:registrar:one",
                key);
    }

    private static CloudEvent event(long position, String key) {
        return event(position, key, "{}");
    }

    @Test
    void an_answer_that_does_not_end_counts_as_none() {
        receiver.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().flush();
        });
        URI url = URI.create(
                "http://127.0.0.1:%s/endless".formatted(receiver.getAddress().getPort()));
        try (HttpPublisher impatient = new HttpPublisher(url, SECRET, Duration.ofSeconds(1), () -> NOW)) {
            assertThatThrownBy(() -> impatient.publish(List.of(event(1, "course:a"))))
                    .isInstanceOf(PublisherUnavailableException.class);
        }
    }

    @Test
    void a_batch_has_the_attributes_of_cloudevents_and_the_payload_as_data() {
        assertThat(publisher.publish(
                        List.of(event(3_000_000_000L, "course:ä", "{\"seats\": 3}"), event(7, "b", "no JSON"))))
                .isEmpty();

        assertThat(received).hasSize(1);
        assertThat(received.getFirst().contentType()).isEqualTo("application/cloudevents-batch+json; charset=UTF-8");
        JsonNode batch = JsonMapper.shared().readTree(received.getFirst().body());
        assertThat(batch.get(0)).isEqualTo(JsonMapper.shared().readTree("""
                {
                  "specversion": "1.0",
                  "id": "00000000-0000-0000-0000-0000b2d05e00",
                  "source": "urn:registrar:one",
                  "type": "Told \\"so\\"",
                  "time": "2027-01-15T08:00:00Z",
                  "subject": "course:ä",
                  "position": "3000000000",
                  "datacontenttype": "application/json",
                  "data": {"seats": 3}
                }"""));
        assertThat(batch.get(1).get("datacontenttype").asString()).isEqualTo("text/plain;charset=utf-8");
        assertThat(batch.get(1).get("data").asString()).isEqualTo("no JSON");
    }

    @Test
    void the_signature_covers_the_time_and_the_body() throws Exception {
        publisher.publish(List.of(event(1, "a")));

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = mac.doFinal(("1800000000." + received.getFirst().body()).getBytes(StandardCharsets.UTF_8));
        assertThat(received.getFirst().signature())
                .isEqualTo("t=1800000000,v1=" + HexFormat.of().formatHex(expected));
    }

    /* The receiver refuses event 2. Event 4 is of the same key. */
    @Test
    void the_events_of_a_refused_batch_are_sent_one_by_one_without_later_ones_of_a_refused_key() {
        answers = body -> body.contains("\"position\":\"2\"") ? 422 : 200;

        assertThat(publisher.publish(List.of(event(1, "a"), event(2, "b"), event(3, "a"), event(4, "b"))))
                .containsOnly(Map.entry(Position.of(2), "The receiver has answered with status 422"));

        assertThat(received.stream()
                        .skip(1)
                        .map(request -> JsonMapper.shared()
                                .readTree(request.body())
                                .get(0)
                                .get("position")
                                .asString()))
                .containsExactly("1", "2", "3");
    }

    @Test
    void a_busy_receiver_or_none_is_unavailable() {
        answers = body -> 503;
        assertThatThrownBy(() -> publisher.publish(List.of(event(1, "a"))))
                .isInstanceOf(PublisherUnavailableException.class)
                .hasMessageContaining("503");

        receiver.stop(0);
        assertThatThrownBy(() -> publisher.publish(List.of(event(1, "a"))))
                .isInstanceOf(PublisherUnavailableException.class);
    }

    @Test
    void the_key_is_the_first_tag_with_the_first_prefix_that_a_tag_has() {
        RelayOptions options = new RelayOptions(1, 1, List.of("course:", "student:"), "urn:registrar:");
        SequencedEvent both = new SequencedEvent(Position.of(1), Event.of("Told", "{}", "student:1", "course:2"), NOW);
        SequencedEvent none = new SequencedEvent(Position.of(2), Event.of("Told", "{}", "room:1"), NOW);

        assertThat(options.key(both)).isEqualTo("course:2");
        assertThat(options.key(none)).isNull();
        assertThat(RelayOptions.defaults().key(none)).isEqualTo("room:1");
    }
}
