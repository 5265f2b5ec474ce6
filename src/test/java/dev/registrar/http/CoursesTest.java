package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.UUID;
import org.junit.jupiter.api.Test;
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
        assertThat(found.header("ETag")).startsWith("\"%d-".formatted(defined.position()));
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
    void a_course_id_is_taken_once() {
        String id = api.course(1);

        post("{'id': '%s', 'title': 'Other', 'capacity': 2}".formatted(id)).expectProblem(409, "course-id-taken");
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
    void the_capacity_changes() {
        String course = api.course(1);

        Answer changed = api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": 40}");

        changed.expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 40, 'enrolled': 0, 'available': 40, 'waiting': 0,
                 'full': false, 'closed': false}""".formatted(course));
        assertThat(api.get("/api/courses/" + course).header("ETag")).startsWith("\"%d-".formatted(changed.position()));
    }

    @Test
    void the_capacity_is_refused() {
        String course = api.course(2);
        String capacity = "/api/courses/%s/capacity".formatted(course);
        api.enroll(api.student(), course).expect(201);
        api.enroll(api.student(), course).expect(201);

        api.put("/api/courses/nowhere/capacity", "{\"capacity\": 2}").expectProblem(404, "course-unknown");
        api.put(capacity, "{\"capacity\": 2}").expectProblem(409, "capacity-unchanged");
        api.put(capacity, "{\"capacity\": 1}").expectProblem(409, "capacity-below-enrolled");

        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        api.put(capacity, "{\"capacity\": 3}").expectProblem(409, "course-closed");
    }

    @Test
    void a_course_is_closed_once() {
        String course = api.course(5);
        String close = "/api/courses/%s/close".formatted(course);

        Answer closed = api.post(close, "");

        closed.expect(200).expectJson("""
                {'id': '%s', 'title': 'Mathematics', 'capacity': 5, 'enrolled': 0, 'available': 5, 'waiting': 0,
                 'full': false, 'closed': true}""".formatted(course));
        assertThat(closed.position()).isPositive();
        api.post(close, "").expectProblem(409, "course-already-closed");
        api.post("/api/courses/nowhere/close", "").expectProblem(404, "course-unknown");
    }

    @Test
    void a_course_that_was_never_defined_is_not_found() {
        api.get("/api/courses/nowhere").expectProblem(404, "course-unknown");
    }

    private Answer post(String course) {
        return api.post("/api/courses", course.replace('\'', '"'));
    }
}
