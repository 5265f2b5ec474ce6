package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** What the service says of itself: its description in OpenAPI, its health, its metrics; and errors nobody handles. */
@ServiceTest
class DescriptionTest {
    private final Api api;

    DescriptionTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/courses, post, 201, Course",
        "/api/courses/{courseId}, get, 200, Course",
        "/api/courses/{courseId}/capacity, put, 200, Course",
        "/api/courses/{courseId}/close, post, 200, Course",
        "/api/courses/{courseId}/students, get, 200, Enrollments",
        "/api/courses/{courseId}/students/{studentId}, get, 200, Enrollment",
        "/api/courses/{courseId}/students/{studentId}, put, 201, Enrolled",
        "/api/courses/{courseId}/students/{studentId}, delete, 204, Dropped",
        "/api/courses/{courseId}/waiting-list/{studentId}, put, 201, Waiting",
        "/api/courses/{courseId}/waiting-list/{studentId}, delete, 204, Waiting no more",
        "/api/students, post, 201, Student",
        "/api/students/{studentId}, get, 200, Student",
        "/api/students/{studentId}/courses, get, 200, Enrollments",
        "/dcb/append, post, 200, DcbAppended",
        "/dcb/read, get, 200, DcbEvent",
        "/dcb/project, post, 200, DcbProjected",
        "/dcb/events/{position}, get, 200, DcbEvent",
        "/dcb/events, get, 200, DcbEvent",
        "/api/courses/{courseId}/events, get, 200, DcbEvent"
    })
    void every_operation_tells_its_answer_and_its_problems(String path, String method, String status, String answer) {
        JsonNode operation = description().path("paths").path(path).path(method);
        JsonNode responses = operation.path("responses");

        assertThat(responses.path(status).isMissingNode()).as("%s", operation).isFalse();
        assertThat(responses.path(status).toString())
                .containsAnyOf("#/components/schemas/" + answer + "\"", "\"description\":\"" + answer + "\"");
        assertThat(responses
                        .path("422")
                        .path("content")
                        .path("application/problem+json")
                        .toString())
                .contains("#/components/schemas/Problem");
        assertThat(operation.path("parameters").toString()).contains("X-Correlation-Id");
    }

    @Test
    void imports_promise_only_what_they_keep() {
        JsonNode paths = description().path("paths");
        JsonNode begin = paths.path("/api/courses/import").path("post");
        JsonNode find = paths.path("/api/imports/{importId}").path("get");

        assertThat(begin.path("responses").propertyNames())
                .containsExactlyInAnyOrder("202", "400", "408", "413", "415", "422", "429", "503");
        assertThat(begin.path("responses").path("202").path("headers").propertyNames())
                .containsExactly("Location");
        assertThat(begin.path("responses").toString()).doesNotContain("not JSON\"", "Registrar-Position");
        assertThat(begin.path("parameters").toString()).contains("X-Correlation-Id", "Idempotency-Key");
        assertThat(find.path("responses").propertyNames()).containsExactlyInAnyOrder("200", "400", "404", "429", "503");
        assertThat(find.toString()).doesNotContain("ETag", "304", "If-None-Match");
    }

    @Test
    void an_answer_without_an_end_promises_no_position() {
        JsonNode paths = description().path("paths");
        JsonNode ofCourse = paths.path("/api/courses/{courseId}/events").path("get");
        JsonNode events = paths.path("/dcb/events").path("get");

        assertThat(ofCourse.path("responses").propertyNames())
                .containsExactlyInAnyOrder("200", "404", "422", "429", "503");
        assertThat(events.path("responses").propertyNames()).containsExactlyInAnyOrder("200", "422", "429", "503");
        assertThat(ofCourse.path("responses").path("200").path("content").propertyNames())
                .containsExactlyInAnyOrder("text/event-stream", "application/x-ndjson");
        assertThat(ofCourse.toString()).contains("Last-Event-ID").doesNotContain("ETag", "304", "If-None-Match");
    }

    @Test
    void the_description_is_openapi_3_1_with_examples() {
        JsonNode description = description();

        assertThat(description.path("openapi").asString()).startsWith("3.1");
        assertThat(description.path("info").path("title").asString()).isEqualTo("Registrar");
        JsonNode schemas = description.path("components").path("schemas");
        assertThat(schemas.path("NewCourse").toString()).contains("Mathematics 101");
        assertThat(schemas.path("NewStudent").toString()).contains("ann@example.org");
        assertThat(schemas.path("Problem").toString()).contains("course-full");
    }

    @Test
    void a_person_finds_the_api_in_a_browser() {
        assertThat(api.get("/swagger-ui.html").status()).isEqualTo(302);
        assertThat(api.get("/swagger-ui/index.html").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/health",
                "/actuator/health/liveness",
                "/actuator/health/readiness",
                "/actuator/info",
                "/actuator/prometheus"
            })
    void an_operator_finds_health_info_and_metrics(String path) {
        assertThat(api.get(path).status()).isEqualTo(200);
    }

    @Test
    void a_write_that_another_site_has_a_browser_send_is_refused() {
        Answer refused = api.post("/api/courses/some/close", "", "Sec-Fetch-Site", "cross-site");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("code").asString()).isEqualTo("forbidden");
        assertThat(api.get("/api/courses/some", "Sec-Fetch-Site", "cross-site").status())
                .isEqualTo(404);
    }

    private JsonNode description() {
        return api.get("/v3/api-docs").json();
    }
}
