package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** X-Correlation-Id: returned in the response and stored with the events of the request. */
@ServiceTest
class CorrelationTest {
    private static final String CORRELATION = "X-Correlation-Id";

    private final Api api;
    private final EventStore store;

    CorrelationTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    @Test
    void a_given_id_is_returned_and_stored_with_the_event() {
        String id = "browser/tab-7:\"click\"";
        Answer closed = api.post("/api/courses/%s/close".formatted(api.course(1)), "", CORRELATION, id);

        closed.expect(200);
        assertThat(closed.header(CORRELATION)).isEqualTo(id);
        assertThat(metadata(closed))
                .startsWith("{\"correlationId\":\"browser/tab-7:\\\"click\\\"\",\"commandType\":\"CloseCourse\",");
    }

    @Test
    void a_request_without_an_id_gets_a_generated_id() {
        Answer closed =
                api.post("/api/courses/%s/close".formatted(api.course(1)), "").expect(200);

        String id = closed.header(CORRELATION);
        assertThat(UUID.fromString(id).version()).isEqualTo(7);
        assertThat(metadata(closed)).startsWith("{\"correlationId\":\"%s\",\"commandType\":".formatted(id));
    }

    @Test
    void an_id_that_cannot_be_used_is_replaced() {
        for (String unusable : List.of("", "two words", "x".repeat(129))) {
            assertThat(UUID.fromString(api.get("/api/courses/nowhere", CORRELATION, unusable)
                            .header(CORRELATION)))
                    .isNotNull();
        }
        String longest = "x".repeat(128);
        assertThat(api.get("/api/courses/x", CORRELATION, longest).header(CORRELATION))
                .isEqualTo(longest);
    }

    @Test
    void every_response_has_a_correlation_id() {
        for (String path : List.of("/api/courses/nowhere", "/api/courses/a%20b", "/nowhere", "/actuator/health")) {
            assertThat(api.get(path, CORRELATION, "mine").header(CORRELATION)).isEqualTo("mine");
        }
        assertThat(api.post("/api/courses", "x".repeat(70_000), CORRELATION, "mine")
                        .header(CORRELATION))
                .isEqualTo("mine");
    }

    private String metadata(Answer written) {
        try (var events = store.read(Query.all(), ReadOptions.forwards().from(Position.of(written.position())))) {
            SequencedEvent event = events.next();
            return event.event().metadata();
        }
    }
}
