package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Changes of stored events are refused unless a setting enables them. */
@ServiceWithOtherSettingsTest
class DisabledErasureTest {
    private final Api api;

    DisabledErasureTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void nothing_is_erased_and_the_console_offers_no_erasure() {
        String student = api.student();

        api.delete("/api/students/%s/personal-data?reason=17".formatted(student))
                .expectProblem(409, "erasure-disabled");

        assertThat(api.get("/api/students/" + student).json().path("name").asString())
                .isEqualTo("Ann");
        assertThat(api.get("/console/office/students/" + student).expect(200).text())
                .doesNotContain("/erase");
        api.get("/console/office/students/%s/erase".formatted(student)).expect(404);
    }

    @Test
    void no_tags_are_added() {
        api.post("/api/admin/tags", """
                        {"query": {}, "tags": ["term:2026"], "reason": "Ticket 17"}""").expectProblem(409, "retagging-disabled");
    }
}
