package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Security and cache headers of responses. */
@ServiceTest
class AnswerHeadersTest {
    private final Api api;

    AnswerHeadersTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/students",
                "/api/students/unknown",
                "/dcb/head",
                "/nowhere",
                "/actuator/health",
                "/swagger-ui/index.html",
                "/v3/api-docs"
            })
    void every_response_forbids_type_sniffing_framing_and_use_by_other_origins(String path) {
        Answer answer = api.get(path);

        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'", "frame-ancestors 'none'");
    }

    @Test
    void personal_data_stays_out_of_shared_caches_and_keeps_its_entity_tag() {
        String course = api.course(1);
        String student = api.student();
        api.enroll(student, course).expect(201);
        for (String path : new String[] {
            "/api/students",
            "/api/students/" + student,
            "/api/students/" + student + "?consistency=strong",
            "/api/courses/" + course + "/students",
            "/api/courses/" + course + "/waiting-list"
        }) {
            Answer found = api.get(path).expect(200);
            assertThat(found.headers().allValues("Cache-Control")).as(path).containsExactly("private, no-cache");
            assertThat(found.headers().allValues("Vary")).as(path).containsExactly("Authorization");
            Answer unchanged =
                    api.get(path, "If-None-Match", found.header("ETag")).expect(304);
            assertThat(unchanged.headers().allValues("Cache-Control")).as(path).containsExactly("private, no-cache");
            assertThat(unchanged.headers().allValues("Vary")).as(path).containsExactly("Authorization");
        }
        assertThat(api.get("/dcb/read").headers().allValues("Cache-Control")).containsExactly("private, no-cache");
        assertThat(api.get("/api/admin/projections").headers().allValues("Cache-Control"))
                .containsExactly("no-store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v3/api-docs", "/swagger-ui/index.html", "/actuator/info", "/nowhere"})
    void no_shared_cache_stores_an_answer_to_a_request_with_a_token(String path) {
        Answer answer = api.get(path, "Authorization", "Bearer any");

        assertThat(answer.headers().allValues("Cache-Control"))
                .singleElement()
                .satisfies(control -> assertThat(control).containsAnyOf("private", "no-store"));
        assertThat(answer.headers().allValues("Vary")).contains("Authorization");
    }

    /* Inline scripts are blocked, so Swagger UI must not have one. */
    @Test
    void swagger_ui_runs_only_its_own_scripts() {
        Answer page = api.get("/swagger-ui/index.html").expect(200);

        assertThat(page.header("Content-Security-Policy"))
                .contains("script-src 'self';", "style-src 'self' 'unsafe-inline';", "connect-src 'self';");
        assertThat(page.text()).doesNotContainPattern("<script(?![^>]* src=)").doesNotContainPattern("\\son\\w+=");
    }
}
