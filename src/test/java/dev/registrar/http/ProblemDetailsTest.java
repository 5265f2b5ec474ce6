package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A problem's detail has the relevant ids and numbers. */
@ServiceTest
class ProblemDetailsTest {
    private final Api api;

    ProblemDetailsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void refusals_name_ids_and_numbers() {
        String course = api.course(1);
        String ann = api.student();
        String bob = api.student();
        api.enroll(ann, course).expect(201);
        String waiting = "/api/courses/%s/waiting-list/%s";

        assertDetail(api.enroll(bob, course), "Course %s is full: 1 of 1 seat taken".formatted(course));
        assertDetail(
                api.put(waiting.formatted(course, ann)),
                "Student %s is already enrolled in course %s".formatted(ann, course));
        assertDetail(api.enroll("unknown", course), "There is no student unknown");
        assertDetail(api.enroll(ann, "nowhere"), "There is no course nowhere");
        api.put(waiting.formatted(course, bob)).expect(201);
        assertDetail(
                api.enroll(api.student(), course),
                "Course %s has 1 student on its waiting list, which takes precedence".formatted(course));
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        assertDetail(api.enroll(bob, course), "Course %s is closed".formatted(course));
    }

    @Test
    void a_refusal_names_the_enrollment_window() {
        String course = Api.newId("course");
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"A\", \"capacity\": 1, \"opensAt\": \"2199-01-01T00:00:00Z\"}"
                                .formatted(course))
                .expect(201);

        assertThat(api.enroll(api.student(), course)
                        .expect(409)
                        .json()
                        .path("detail")
                        .asString())
                .startsWith(
                        "Course %s takes enrollments from 2199-01-01T00:00:00Z on, but the time is ".formatted(course));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/courses/nowhere, There is no course nowhere",
        "/api/courses/nowhere?consistency=strong, There is no course nowhere",
        "/api/students/unknown, There is no student unknown",
        "/api/courses/a/students/b, Student b is not enrolled in course a",
        "/api/courses/a/waiting-list/b, Student b is not on the waiting list of course a",
        "/api/courses/nowhere/students, There is no course nowhere",
        "/dcb/events/987654321, There is no event at position 987654321",
        "/api/imports/00000000-0000-7000-8000-000000000001, There is no report of import 00000000-0000-7000-8000-000000000001 in this process: the oldest reports and those before a restart are removed",
        "/api/courses/, No resource at /api/courses/: remove the slash at the end",
        "/api/teachers, No resource at /api/teachers",
        "/error, No resource at /error"
    })
    void a_404_names_what_is_unknown(String path, String detail) {
        assertThat(api.get(path).expect(404).json().path("detail").asString()).isEqualTo(detail);
    }

    @Test
    void a_refusal_names_the_allowed_values() {
        Answer method = api.delete("/api/courses").expectProblem(405, "method-not-allowed");
        assertThat(method.json().path("detail").asString()).contains("DELETE", "GET", "POST");
        assertThat(method.header("Allow")).contains("GET", "POST");

        Answer type = api.send("POST", "/api/courses", BodyPublishers.ofString("{}"), "Content-Type", "text/plain")
                .expectProblem(415, "unsupported-media-type");
        assertThat(type.json().path("detail").asString()).contains("application/json", "text/plain");
        assertThat(type.header("Accept")).contains("application/json");

        Answer accept = api.get("/api/courses", "Accept", "text/html").expectProblem(406, "not-acceptable");
        assertThat(accept.json().path("detail").asString()).contains("application/json");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /api/courses | {'title': 5, 'capacity': 1}                                   | /title must be a string
        /api/courses | {'title': 'A', 'capacity': 1, 'opensAt': 5}                   | /opensAt must be a time such as
        /dcb/append  | {'events': {'type': 'A', 'data': 1, 'id': 'x'}}               | /events/0/id must be a UUID
        /dcb/append  | {'events': [5]}                                               | /events/0 must be an object
        /dcb/append  | {'events': {'type': 'A', 'data': 1, 'tags': 5}}               | /events/0/tags must be a list
        /dcb/project | {'projectors': [{'id': 'a', 'kind': 'code', 'query': {}}]}    | /projectors/0/kind must be one of "count"
        """)
    void a_wrong_type_is_reported_with_its_place_and_the_expected_type(String path, String body, String detail) {
        assertThat(api.post(path, body.replace('\'', '"'))
                        .expectProblem(422, "invalid-value")
                        .json()
                        .path("detail")
                        .asString())
                .startsWith(detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        GET  | /api/courses?sort=colour                     | ``                                                       | sort must be title, seats or popularity
        GET  | /api/courses?filter=none                     | ``                                                       | filter must be all, open or full
        GET  | /api/courses?search=LONG                     | ``                                                       | search must have at most 200 characters
        GET  | /api/courses?limit=x                         | ``                                                       | limit must be a whole number from 1 to 1000
        GET  | /api/courses?limit=0                         | ``                                                       | limit must be a whole number from 1 to 1000
        GET  | /api/courses?limit=99999999999999999999      | ``                                                       | limit must be a whole number from 1 to 1000
        GET  | /api/courses/maths?consistency=weak          | ``                                                       | consistency must be strong or view
        GET  | /api/courses/a%20b                           | ``                                                       | courseId must be a letter or digit, then up to 63 of A-Z a-z 0-9 . _ ~ -
        GET  | /dcb/events/last                             | ``                                                       | position must be a whole number from 0 to 9223372036854775807
        POST | /api/courses                                 | {'title': 'A'}                                           | /capacity is required
        POST | /api/courses                                 | {'title': 'A', 'capacity': 'many'}                       | /capacity must be a whole number from 1 to 100000
        POST | /api/commands                                | {'type': 'CloseCourse'}                                  | /data is required
        POST | /api/commands                                | {'type': 'CloseCourse', 'data': {}}                      | /data/courseId is required
        POST | /api/commands                                | {'type': 'ChangeCapacity', 'data': {'courseId': 'a', 'capacity': 1.5}} | /data/capacity must be a whole number from 1 to 100000
        POST | /api/commands                                | {'type': 'ChangeTimes', 'data': {'courseId': 'a', 'times': [null]}} | /data/times/0 is required
        POST | /api/commands                                | {'type': 'DefineCourse', 'data': {'title': 'A', 'capacity': 1, 'prerequisites': [null]}} | /data/prerequisites/0 must be a letter or digit, then up to 63 of A-Z a-z 0-9 . _ ~ -
        PUT  | /api/courses/a/prerequisites                 | {'prerequisites': [null]}                                | /prerequisites/0 must be a letter or digit, then up to 63 of A-Z a-z 0-9 . _ ~ -
        PUT  | /api/courses/a/prerequisites                 | {'prerequisites': ['a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q']} | /prerequisites must have at most 16 courses
        POST | /dcb/read                                    | {'options': {'limit': 'all'}}                            | /options/limit must be a whole number from 0 to 1000000
        """)
    void a_refusal_says_in_words_what_is_allowed(String method, String path, String body, String detail) {
        assertThat(api.send(method, path.replace("LONG", "x".repeat(201)), body.replace('\'', '"'))
                        .expectProblem(422, "invalid-value")
                        .json()
                        .path("detail")
                        .asString())
                .isEqualTo(detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        POST | /api/courses                     | {'title': 'LONG', 'capacity': 1}
        POST | /api/courses                     | {'LONG': 1}
        POST | /api/commands                    | {'type': 'LONG', 'data': {}}
        GET  | /api/courses?LONG=1              | ``
        GET  | /api/LONG                        | ``
        POST | /api/admin/projections/LONG/pause | ``
        """)
    void a_refusal_repeats_only_the_beginning_of_a_long_text(String method, String path, String body) {
        String text = "x".repeat(5_000);
        Answer refused = api.send(
                method, path.replace("LONG", text), body.replace("LONG", text).replace('\'', '"'));

        assertThat(refused.status()).isBetween(400, 422);
        assertThat(refused.json().path("detail").asString()).contains("xx…").hasSizeLessThan(500);
        refused.json()
                .path("errors")
                .forEach(error -> assertThat(error.path("detail").asString()).hasSizeLessThan(500));
    }

    @Test
    void a_refusal_names_the_projection() {
        assertDetail(
                api.post("/api/admin/projections/nothing/pause", "").expect(404),
                "No view, automation or relay has the name 'nothing'");
        assertDetail(
                api.post("/api/admin/projections/waiting-list/rebuild", "").expect(409),
                "'waiting-list' is an automation, and only views can be rebuilt: an automation would send its commands again");
        assertDetail(
                api.post("/api/admin/projections/courses/skip", "{\"position\": 1}")
                        .expect(409),
                "'courses' is running: only the event that a projection has stopped at can be skipped");
    }

    @Test
    void a_refusal_names_the_idempotency_key() {
        String key = Api.newId("key");
        String close = "/api/courses/%s/close";
        api.post(close.formatted(api.course(1)), "", "Idempotency-Key", key).expect(200);

        assertDetail(
                api.post(close.formatted(api.course(1)), "", "Idempotency-Key", key)
                        .expect(422),
                "Idempotency-Key '%s' was used before with another method, path or body: send this request under a new key"
                        .formatted(key));
        assertDetail(
                api.post(close.formatted(api.course(1)), "", "Idempotency-Key", "k".repeat(256))
                        .expect(400),
                "An Idempotency-Key must have 1 to 255 visible ASCII characters");
        assertDetail(
                api.post(close.formatted(api.course(1)), "", "Idempotency-Key", "two words")
                        .expect(400),
                "An Idempotency-Key must have 1 to 255 visible ASCII characters");
    }

    private static void assertDetail(Answer answer, String detail) {
        assertThat(answer.json().path("detail").asString()).as(answer.text()).isEqualTo(detail);
        assertThat(answer.json().path("instance").asString()).startsWith("/api/");
    }
}
