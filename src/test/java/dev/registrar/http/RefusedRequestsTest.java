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
    @ValueSource(strings = {"{", "{'title': 'Latin', 'capacity': }", "not json", "{'title': 'Latin'} {}", " ", "null"})
    void malformed_json(String body) {
        api.post("/api/courses", body.replace('\'', '"'))
                .expectProblem(400, "malformed-json")
                .expectPointer("");
    }

    @Test
    void a_missing_body_is_malformed_json() {
        api.send("POST", "/api/courses", BodyPublishers.noBody(), "Content-Type", "application/json")
                .expectProblem(400, "malformed-json");
    }

    @Test
    void malformed_json_is_reported_with_its_place() {
        Answer answer = api.post("/api/courses", "{\n  \"title\": oops\n}");

        assertThat(answer.json().at("/errors/0/detail").asString()).contains("line 2");
        assertThat(answer.text()).doesNotContain("oops");
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
            {'capacity': 1}                                                 | /title
            {'title': null, 'capacity': 1}                                  | /title
            {'title': '  ', 'capacity': 1}                                  | /title
            {'title': 5, 'capacity': 1}                                     | /title
            {'title': ['Latin'], 'capacity': 1}                             | /title
            {'title': 'Latin'}                                              | /capacity
            {'title': 'Latin', 'capacity': null}                            | /capacity
            {'title': 'Latin', 'capacity': 0}                               | /capacity
            {'title': 'Latin', 'capacity': -1}                              | /capacity
            {'title': 'Latin', 'capacity': 100001}                          | /capacity
            {'title': 'Latin', 'capacity': 99999999999}                     | /capacity
            {'title': 'Latin', 'capacity': '1'}                             | /capacity
            {'title': 'Latin', 'capacity': ''}                              | /capacity
            {'title': 'Latin', 'capacity': 1.5}                             | /capacity
            {'title': 'Latin', 'capacity': true}                            | /capacity
            {'title': 'Latin', 'capacity': {}}                              | /capacity
            {'title': 'Latin', 'capacity': 1, 'id': ''}                     | /id
            {'title': 'Latin', 'capacity': 1, 'id': 'a b'}                  | /id
            {'title': 'Latin', 'capacity': 1, 'id': 7}                      | /id
            {'title': 'Latin', 'capacity': 1, 'opensAt': 'soon'}            | /opensAt
            {'title': 'Latin', 'capacity': 1, 'opensAt': '2026-09-01'}      | /opensAt
            {'title': 'Latin', 'capacity': 1, 'opensAt': 1788249600}        | /opensAt
            {'title': 'Latin', 'capacity': 1, 'opensAt': '2026-09-02T00:00:00Z', 'closesAt': '2026-09-01T00:00:00Z'} | /closesAt
            {'title': 'Latin', 'capacity': 1, 'opensAt': '2026-09-01T00:00:00Z', 'closesAt': '2026-09-01T00:00:00Z'} | /closesAt
            """)
    void an_invalid_course_is_refused(String course, String pointer) {
        api.post("/api/courses", course.replace('\'', '"'))
                .expectProblem(422, "invalid-value")
                .expectPointer(pointer);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'email': 'ann@example.org'}                                    | /name
            {'name': '', 'email': 'ann@example.org'}                        | /name
            {'name': 'Ann'}                                                 | /email
            {'name': 'Ann', 'email': 'ann'}                                 | /email
            {'name': 'Ann', 'email': 'ann@example'}                         | /email
            {'name': 'Ann', 'email': 'ann@example.org', 'id': 'a/b'}        | /id
            """)
    void an_invalid_student_is_refused(String student, String pointer) {
        api.post("/api/students", student.replace('\'', '"'))
                .expectProblem(422, "invalid-value")
                .expectPointer(pointer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "'Latin'", "5"})
    void a_body_that_is_not_an_object_is_refused(String body) {
        api.post("/api/courses", body.replace('\'', '"'))
                .expectProblem(422, "invalid-value")
                .expectPointer("");
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

    @Test
    void unusual_text_is_stored_unchanged_or_refused_as_an_invalid_value() {
        for (String title : new String[] {"\\u0000", "a\\u0000b", "\\ud800", "\\ud83d\\ude00", "\\u202e"}) {
            Answer answer = api.post("/api/courses", "{\"title\": \"%s\", \"capacity\": 1}".formatted(title));
            if (answer.status() == 201) {
                assertThat(api.get(answer.header("Location"))
                                .expect(200)
                                .json()
                                .path("title")
                                .asString())
                        .as(title)
                        .isEqualTo(answer.json().path("title").asString());
            } else {
                answer.expectProblem(422, "invalid-value");
            }
        }
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
    @ValueSource(strings = {"text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense"})
    void another_content_type_is_refused(String type) {
        api.send("POST", "/api/courses", COURSE, "Content-Type", type).expectProblem(415, "unsupported-media-type");
    }

    @Test
    void a_body_without_a_content_type_is_refused() {
        api.send("POST", "/api/courses", BodyPublishers.ofString(COURSE)).expectProblem(415, "unsupported-media-type");
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
    void a_body_whose_content_length_exceeds_the_limit_is_refused() {
        api.post("/api/courses", "x".repeat(LIMIT + 1)).expectProblem(413, "body-too-large");
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
        api.post("/api/courses", COURSE + padding + " ").expectProblem(413, "body-too-large");
    }
}
