package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Requests that are invalid in any state: each is answered with problem details that name the reason. */
@ServiceTest
class RefusedRequestsTest {
    private static final String COURSE = "{\"title\": \"Latin\", \"capacity\": 1}";
    private static final int LIMIT = 64 * 1024;

    private final Api api;

    RefusedRequestsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{'title': 'Latin'} {}", " ", "null"})
    void malformed_json(String body) {
        api.post("/api/courses", body.replace('\'', '"'))
                .expectProblem(400, "malformed-json")
                .expectPointer("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST | /api/courses            | {'title': 'Latin', 'capacity': 1, 'seats': 2}           | /seats
            POST | /api/courses            | {'title': 'Latin', 'capacity': 1, 'a/b~c': 2}           | /a~1b~0c
            PUT  | /api/courses/x/capacity | {'capacity': 1, 'title': 'Latin'}                       | /title
            POST | /api/students           | {'name': 'Ann', 'email': 'a@example.org', 'age': 20}    | /age
            """)
    void an_unknown_field_is_refused(String method, String path, String body, String pointer) {
        api.send(method, path, body.replace('\'', '"'))
                .expectProblem(400, "unknown-field")
                .expectPointer(pointer);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /api/courses  | {'capacity': 1}                                                 | /title
            /api/courses  | {'title': '  ', 'capacity': 1}                                  | /title
            /api/courses  | {'title': 'Latin'}                                              | /capacity
            /api/courses  | {'title': 'Latin', 'capacity': 0}                               | /capacity
            /api/courses  | {'title': 'Latin', 'capacity': 1, 'id': 'a b'}                  | /id
            /api/courses  | {'title': 'Latin', 'capacity': 1, 'id': 7}                      | /id
            /api/courses  | {'title': 'Latin', 'capacity': 1, 'opensAt': 'soon'}            | /opensAt
            /api/courses  | {'title': 'Latin', 'capacity': 1, 'opensAt': '2026-09-02T00:00:00Z', 'closesAt': '2026-09-01T00:00:00Z'} | /closesAt
            /api/courses  | []                                                              | ``
            /api/students | {'email': 'ann@example.org'}                                    | /name
            /api/students | {'name': 'Ann', 'email': 'ann@example'}                         | /email
            /api/students | {'name': 'Ann', 'email': 'ann@example.org', 'id': 'a/b'}        | /id
            """)
    void an_invalid_value_is_refused_with_its_place(String path, String body, String pointer) {
        api.post(path, body.replace('\'', '"'))
                .expectProblem(422, "invalid-value")
                .expectPointer(pointer);
    }

    @Test
    void all_invalid_fields_are_reported_together() {
        Answer answer = api.post("/api/courses", "{\"title\": \"\", \"capacity\": 0}");

        assertThat(answer.json()
                        .path("errors")
                        .valueStream()
                        .map(error -> error.path("pointer").asString()))
                .containsExactlyInAnyOrder("/title", "/capacity");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /api/courses/a%20b                  |                 | courseId
            GET    | /api/courses/a!b/students           |                 | courseId
            PUT    | /api/courses/a%20b/capacity         | {"capacity": 1} | courseId
            POST   | /api/courses/%C3%A9/close           |                 | courseId
            PUT    | /api/courses/maths/students/a%20b   |                 | studentId
            DELETE | /api/courses/maths/students/a%3Ab   |                 | studentId
            GET    | /api/students/a@b                   |                 | studentId
            GET    | /api/students/a,b/courses           |                 | studentId
            """)
    void a_path_with_an_invalid_id_is_refused(String method, String path, String body, String parameter) {
        Answer answer = api.send(method, path, body == null ? "" : body).expectProblem(422, "invalid-value");

        assertThat(answer.json().at("/errors/0/parameter").asString()).isEqualTo(parameter);
        assertThat(answer.json().at("/errors/0/detail").asString()).isNotBlank();
    }

    @Test
    void an_id_is_too_long_at_65_characters() {
        api.get("/api/courses/" + "x".repeat(64)).expectProblem(404, "course-unknown");
        api.get("/api/courses/" + "x".repeat(65)).expectProblem(422, "invalid-value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "nonsense"})
    void another_content_type_is_refused(String type) {
        api.send("POST", "/api/courses", COURSE, "Content-Type", type).expectProblem(415, "unsupported-media-type");
    }

    @Test
    void an_unsupported_media_type_is_not_acceptable() {
        String course = api.course(1);

        api.get("/api/courses/" + course, "Accept", "application/xml").expectProblem(406, "not-acceptable");
        api.get("/api/courses/" + course, "Accept", "text/html").expectProblem(406, "not-acceptable");
        api.get("/api/courses/nowhere", "Accept", "application/json").expectProblem(404, "course-unknown");
        api.get("/api/courses/" + course, "Accept", "application/json, text/plain;q=0.5")
                .expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/", "/api/teachers", "/api/courses/maths/rooms"})
    void an_unknown_path_of_the_api_is_not_found(String path) {
        api.get(path).expectProblem(404, "not-found");
        api.get(path, "Accept", "text/html").expectProblem(404, "not-found");
        api.post(path, COURSE).expectProblem(404, "not-found");
    }

    @Test
    void a_program_gets_a_problem_at_an_unknown_path_outside_the_api() {
        api.get("/nowhere.html").expectProblem(404, "not-found");
        api.get("/nowhere.html", "Accept", "application/json").expectProblem(404, "not-found");
        api.post("/nowhere.html", COURSE).expectProblem(404, "not-found");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,    /api/courses,              POST",
        "DELETE, /api/courses/maths,        GET",
        "POST,   /api/courses/maths/capacity, PUT",
        "GET,    /api/courses/maths/close,  POST",
        "PATCH,  /api/students/ann,         GET"
    })
    void an_unsupported_method_is_refused_with_the_allowed_ones(String method, String path, String allowed) {
        Answer answer = api.send(method, path, "").expectProblem(405, "method-not-allowed");

        assertThat(answer.header("Allow").split(", ?")).contains(allowed);
    }

    @Test
    void a_streamed_body_beyond_the_limit_is_refused() {
        byte[] large = "x".repeat(LIMIT + 1).getBytes(StandardCharsets.UTF_8);

        api.send(
                        "POST",
                        "/api/courses",
                        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
                        "Content-Type",
                        "application/json")
                .expectProblem(413, "body-too-large");
    }

    @Test
    void a_body_of_exactly_the_limit_is_read() {
        String padding = " ".repeat(LIMIT - COURSE.length());

        api.post("/api/courses", COURSE + padding).expect(201);
        Answer refused = api.post("/api/courses", COURSE + padding + " ").expectProblem(413, "body-too-large");
        assertThat(refused.json().path("detail").asString())
                .isEqualTo("The request body is too large (limit 65536 bytes): send less in one request");
    }
}
