package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Security and cache headers of responses. */
@ServiceTest
class AnswerHeadersTest {

    private final int port;
    private final Api api;

    AnswerHeadersTest(@LocalServerPort int port) {
        this.port = port;
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

    /* Course ids that are parts of other addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"swagger-ui", "api", "dcb", "go-crablet"})
    void a_page_has_its_own_headers_whatever_the_id_of_its_course(String course) {
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Mathematics\", \"capacity\": 3}".formatted(course))
                .expect(201);
        await().untilAsserted(() -> api.get("/api/courses/" + course).expect(200));
        Answer page = api.get("/console/courses/" + course).expect(200);
        Answer expected = api.get("/console/courses").expect(200);

        for (String header : new String[] {"Content-Security-Policy", "Cache-Control", "Vary"}) {
            assertThat(page.headers().allValues(header))
                    .as(header)
                    .isEqualTo(expected.headers().allValues(header));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nosuch", "/nosuch.json", "/feed.xml", "/robots.txt", "/x.js"})
    void a_browser_at_an_unknown_path_gets_a_page_whatever_its_extension(String path) {
        Answer page = api.get(path, "Accept", "text/html,*/*;q=0.8").expect(404);

        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("style-src 'self'");
        assertThat(page.headers().allValues("Vary")).contains("Accept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html;q=0, application/json", "application/json", "text/html/"})
    void another_client_at_an_unknown_path_gets_a_problem(String accepted) {
        Answer problem = api.get("/nosuch", "Accept", accepted).expect(404);

        assertThat(problem.header("Content-Type")).startsWith("application/problem+json");
        assertThat(problem.headers().allValues("Vary")).contains("Accept");
    }

    /* An escaped letter, as the service's handlers are found. */
    @ParameterizedTest
    @ValueSource(strings = {"/%61pi/nosuch", "/%64cb/nosuch"})
    void an_unknown_path_of_an_api_is_one_in_any_spelling(String path) {
        Answer problem = api.get(path, "Accept", "text/html").expect(404);

        assertThat(problem.header("Content-Type")).startsWith("application/problem+json");
        assertThat(problem.headers().allValues("Cache-Control")).containsExactly("private, no-cache");
    }

    @Test
    void an_answer_to_a_malformed_path_stays_out_of_shared_caches() {
        RawClient.Response malformed = new RawClient(port).get("/api/%zz");

        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.header("Cache-Control")).isEqualTo("private, no-cache");
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
