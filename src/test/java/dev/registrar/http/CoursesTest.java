package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Courses over HTTP: defined, looked up, changed, closed, and every refusal. */
@ServiceTest
class CoursesTest {
    private final Api api;

    CoursesTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void a_course_is_defined_and_looked_up() {
        String id = Api.newId("course");

        Answer defined = post("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 30,
                 'opensAt': '2026-09-01T08:00:00Z', 'closesAt': '2026-10-01T00:00:00+02:00'}""".formatted(id));

        String course = """
                {'id': '%s', 'title': 'Mathematics', 'capacity': 30, 'enrolled': 0, 'available': 30, 'waiting': 0,
                 'full': false, 'closed': false,
                 'opensAt': '2026-09-01T08:00:00Z', 'closesAt': '2026-09-30T22:00:00Z'}""".formatted(id);
        defined.expect(201).expectJson(course);
        assertThat(defined.header("Location")).isEqualTo("/api/courses/" + id);
        assertThat(defined.position()).isPositive();
        Answer found = api.get(defined.header("Location")).expect(200).expectJson(course);
        assertThat(found.header("ETag")).startsWith("\"%s-".formatted(defined.position()));
    }

    @Test
    void a_course_without_an_id_gets_a_generated_id() {
        Answer defined = post("{'title': 'Latin', 'capacity': 1}").expect(201);

        String id = defined.json().path("id").asString();
        assertThat(UUID.fromString(id).version()).isEqualTo(7);
        assertThat(defined.header("Location")).isEqualTo("/api/courses/" + id);
        api.get("/api/courses/" + id).expect(200).expectJson("""
                {'id': '%s', 'title': 'Latin', 'capacity': 1, 'enrolled': 0, 'available': 1, 'waiting': 0,
                 'full': false, 'closed': false}""".formatted(id));
    }

    @Test
    void seats_are_counted_as_students_come_and_go() {
        String course = api.course(1);
        String student = api.student();

        api.enroll(student, course).expect(201);
        api.get("/api/courses/" + course).expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 1, 'enrolled': 1, 'available': 0, 'waiting': 0,
                 'full': true, 'closed': false}""".formatted(course));

        api.delete("/api/courses/%s/students/%s".formatted(course, student)).expect(204);
        api.get("/api/courses/" + course).expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 1, 'enrolled': 0, 'available': 1, 'waiting': 0,
                 'full': false, 'closed': false}""".formatted(course));
    }

    @Test
    void the_capacity_of_a_course_changes() {
        String course = api.course(1);

        Answer changed =
                api.change("PUT", "/api/courses/%s/capacity".formatted(course), "{\"capacity\": 40}", Api.newId("key"));

        changed.expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 40, 'enrolled': 0, 'available': 40, 'waiting': 0,
                 'full': false, 'closed': false}""".formatted(course));
        assertThat(api.get("/api/courses/" + course).header("ETag")).startsWith("\"%s-".formatted(changed.position()));
    }

    @Test
    void an_invalid_change_of_the_capacity_is_refused() {
        String course = api.course(2);
        String capacity = "/api/courses/%s/capacity".formatted(course);
        api.enroll(api.student(), course).expect(201);
        api.enroll(api.student(), course).expect(201);

        api.put("/api/courses/nowhere/capacity", "{\"capacity\": 2}").expectProblem(404, "course-unknown");
        api.put(capacity, "{\"capacity\": 1}").expectProblem(409, "capacity-below-enrolled");

        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        api.put(capacity, "{\"capacity\": 3}").expectProblem(409, "course-closed");
    }

    @Test
    void the_title_of_a_course_changes_also_in_searches() {
        String former = Api.newId("Former");
        String title = Api.newId("CAF\u00C9");
        String course = Api.newId("course");
        String path = "/api/courses/%s/title".formatted(course);
        post("{'id': '%s', 'title': '%s', 'capacity': 1}".formatted(course, former))
                .expect(201);
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);

        Answer changed = api.change("PUT", path, "{\"title\": \"%s\"}".formatted(title), Api.newId("key"))
                .expect(200);

        String after = Long.toString(changed.position());
        assertThat(changed.json().path("title").asString()).isEqualTo(title);
        Answer found = api.get("/api/courses/" + course, "Registrar-After", after);
        assertThat(found.json()).isEqualTo(changed.json());
        assertThat(found.header("ETag")).startsWith("\"%s-".formatted(after));
        String decomposed = "cafe%CC%81" + title.substring("CAFE".length());
        assertThat(api.get("/api/courses?search=" + decomposed, "Registrar-After", after)
                        .json()
                        .at("/courses/0"))
                .isEqualTo(changed.json());
        assertThat(api.get("/api/courses?search=" + former, "Registrar-After", after)
                        .json()
                        .path("courses")
                        .isEmpty())
                .isTrue();
        api.put("/api/courses/nowhere/title", "{\"title\": \"Sets\"}").expectProblem(404, "course-unknown");
        api.put(path, "{\"title\": \"\\u0000\"}")
                .expectProblem(422, "invalid-value")
                .expectPointer("/title");
    }

    @Test
    void an_enrollment_window_ends_and_opens_again() {
        String course = api.course(1);
        String student = api.student();

        Answer ended =
                window(course, "'closesAt': '2000-01-01T00:00:00.1234567Z'").expect(200);
        api.enroll(student, course).expectProblem(409, "outside-enrollment-window");
        Answer reopened = window(course, "'opensAt': '2000-01-01T00:00:00Z', 'closesAt': '9999-01-01T00:00:00Z'")
                .expect(200);
        api.enroll(student, course).expect(201);
        Answer always = window(course, "").expect(200);

        assertThat(ended.json().path("closesAt").asString()).isEqualTo("2000-01-01T00:00:00.123456Z");
        assertThat(ended.json().has("opensAt")).isFalse();
        assertThat(reopened.json().path("opensAt").asString()).isEqualTo("2000-01-01T00:00:00Z");
        assertThat(always.json().has("opensAt")).isFalse();
        assertThat(always.json().has("closesAt")).isFalse();
    }

    @Test
    void an_invalid_change_of_the_window_is_refused() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);

        window("nowhere", "").expectProblem(404, "course-unknown");
        window(course, "'opensAt': '2030-01-01T00:00:00Z', 'closesAt': '2030-01-01T00:00:00Z'")
                .expectProblem(422, "invalid-value")
                .expectPointer("/closesAt");
        window(course, "'opensAt': '10000-01-01T00:00:00Z'").expectProblem(422, "invalid-value");
        window(course, "'opensAt': '9999-01-01T00:00:00Z'").expectProblem(409, "waiting-list-not-empty");
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        window(course, "'closesAt': '9999-01-01T00:00:00Z'").expectProblem(409, "course-closed");
    }

    private Answer window(String course, String ends) {
        return api.change(
                "PUT",
                "/api/courses/%s/window".formatted(course),
                "{%s}".formatted(ends).replace('\'', '"'),
                Api.newId("key"));
    }

    @Test
    void the_prerequisites_change_in_the_store_and_in_the_views() {
        String word = Api.newId("Prerequisites");
        String course = Api.newId("course");
        post("{'id': '%s', 'title': '%s', 'capacity': 1}".formatted(course, word))
                .expect(201);
        String[] others = {api.course(1), api.course(1)};

        require(course, others).expect(200);
        Answer changed = require(course, others[1]).expect(200);

        String after = Long.toString(changed.position());
        assertThat(changed.json().path("prerequisites").toString()).isEqualTo("[\"%s\"]".formatted(others[1]));
        for (String consistency : List.of("view", "strong")) {
            Answer found =
                    api.get("/api/courses/%s?consistency=%s".formatted(course, consistency), "Registrar-After", after);
            assertThat(found.json()).isEqualTo(changed.json());
            assertThat(found.header("ETag")).startsWith("\"%s-".formatted(after));
        }
        assertThat(api.get("/api/courses?search=" + word, "Registrar-After", after)
                        .json()
                        .at("/courses/0"))
                .isEqualTo(changed.json());
        assertThat(require(course).expect(200).json().has("prerequisites")).isFalse();
    }

    @Test
    void invalid_prerequisites_are_refused() {
        String first = api.course(1);
        String second = api.course(1);
        require(second, first).expect(200);

        require("nowhere", first).expectProblem(404, "course-unknown");
        require(first, second).expectProblem(409, "prerequisite-cycle");
        require(first, "nowhere").expectProblem(409, "prerequisite-undefined");
        post("{'title': 'T', 'capacity': 1, 'prerequisites': ['nowhere']}")
                .expectProblem(409, "prerequisite-undefined");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            null              | /prerequisites
            [""]              | /prerequisites/0
            ["a", "b c"]      | /prerequisites/1
            ["a", null]       | /prerequisites/1
            ["a\\u0000"]      | /prerequisites/0
            TOO_MANY          | /prerequisites
            """)
    void prerequisites_must_be_a_list_of_ids(String given, String pointer) {
        String tooMany =
                IntStream.rangeClosed(0, 16).mapToObj("\"c%s\""::formatted).collect(Collectors.joining(",", "[", "]"));

        api.put(
                        "/api/courses/%s/prerequisites".formatted(api.course(1)),
                        "{\"prerequisites\": %s}".formatted(given.replace("TOO_MANY", tooMany)))
                .expectProblem(422, "invalid-value")
                .expectPointer(pointer);
    }

    /* Each prerequisite is invalid; without a bound the response would have 16,000 errors. */
    @Test
    void a_long_list_of_invalid_prerequisites_gets_one_error() {
        String ids = String.join(",", Collections.nCopies(16_000, "\"!\""));
        String course = "{\"courseId\": \"a\", \"prerequisites\": [%s]}".formatted(ids);

        List<Answer> refused = List.of(
                api.put("/api/courses/a/prerequisites", "{\"prerequisites\": [%s]}".formatted(ids)),
                api.post("/api/courses", "{\"title\": \"T\", \"capacity\": 1, \"prerequisites\": [%s]}".formatted(ids)),
                api.post("/api/commands", "{\"type\": \"ChangePrerequisites\", \"data\": %s}".formatted(course)));

        assertThat(refused).allSatisfy(answer -> {
            answer.expectProblem(422, "invalid-value");
            assertThat(answer.json().path("errors")).hasSize(1);
            assertThat(answer.json().at("/errors/0/pointer").asString()).endsWith("/prerequisites");
        });
    }

    private Answer require(String course, String... prerequisites) {
        return api.change(
                "PUT",
                "/api/courses/%s/prerequisites".formatted(course),
                Stream.of(prerequisites)
                        .map("\"%s\""::formatted)
                        .collect(Collectors.joining(",", "{\"prerequisites\": [", "]}")),
                Api.newId("key"));
    }

    @Test
    void a_course_can_be_closed_once() {
        String course = api.course(5);
        String close = "/api/courses/%s/close".formatted(course);

        Answer closed = api.change("POST", close, "", Api.newId("key"));

        closed.expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 5, 'enrolled': 0, 'available': 5, 'waiting': 0,
                 'full': false, 'closed': true}""".formatted(course));
        assertThat(closed.position()).isPositive();
        api.post(close, "").expectProblem(409, "course-already-closed");
        api.post("/api/courses/nowhere/close", "").expectProblem(404, "course-unknown");
    }

    private Answer post(String course) {
        return api.post("/api/courses", course.replace('\'', '"'));
    }
}
