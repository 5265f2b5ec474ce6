package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Waiting lists over HTTP: joined, left, refused. */
@ServiceTest
class WaitingListsTest {
    private final Api api;

    WaitingListsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void a_student_joins_and_leaves_the_waiting_list_of_a_full_course() {
        String course = fullCourse();
        String student = api.student();

        Answer joined = api.put(path(course, student)).expect(201);
        Answer left = api.delete(path(course, student)).expect(204);

        assertThat(joined.text()).isEmpty();
        assertThat(joined.header("Location")).isEqualTo(path(course, student));
        assertThat(left.text()).isEmpty();
        assertThat(left.position()).isGreaterThan(joined.position());
        api.put(path(course, student)).expect(201);
    }

    @Test
    void a_join_repeated_under_its_key_is_executed_once() {
        String path = path(fullCourse(), api.student());

        long first = api.put(path, "", "Idempotency-Key", path).expect(201).position();
        Answer again = api.put(path, "", "Idempotency-Key", path).expect(201);

        assertThat(again.position()).isEqualTo(first);
    }

    /* The second student is in two courses, as many as the tier allows. */
    @Test
    void a_student_at_the_limit_of_courses_is_shown_as_such() {
        String course = fullCourse();
        String able = api.student();
        String atLimit = api.student();
        api.put("/api/students/%s/tier".formatted(atLimit), "{\"tier\": \"basic\"}")
                .expect(200);
        api.enroll(atLimit, api.course(1)).expect(201);
        api.enroll(atLimit, api.course(1)).expect(201);
        api.put(path(course, able)).expect(201);
        api.put(path(course, atLimit)).expect(201);

        JsonNode line = api.get("/api/courses/%s/waiting-list".formatted(course))
                .expect(200)
                .json()
                .path("waiting");

        assertThat(line.path(0).path("studentId").asString()).isEqualTo(able);
        assertThat(line.path(0).path("atLimit").asBoolean()).isFalse();
        assertThat(line.path(1).path("atLimit").asBoolean()).isTrue();
        assertThat(isAtLimit(api.get(path(course, able)))).isFalse();
        assertThat(isAtLimit(api.get(path(course, atLimit)))).isTrue();

        api.put("/api/students/%s/tier".formatted(atLimit), "{\"tier\": \"standard\"}")
                .expect(200);
        assertThat(isAtLimit(api.get(path(course, atLimit)))).isFalse();
    }

    /* The first of three students leaves, so the others move up. */
    @Test
    void places_are_numbered_from_the_student_whose_turn_is_next() {
        String course = fullCourse();
        List<String> students = Stream.generate(api::student).limit(3).toList();
        students.forEach(student -> api.put(path(course, student)).expect(201));
        String other = fullCourse();
        api.put(path(other, students.getLast())).expect(201);

        assertThat(places("/api/courses/%s/waiting-list".formatted(course))).containsExactly(1, 2, 3);
        assertThat(places(nextPage("/api/courses/%s/waiting-list?limit=1".formatted(course))))
                .containsExactly(2);
        assertThat(places("/api/students/%s/waiting-lists".formatted(students.getLast())))
                .containsExactly(3, 1);

        api.delete(path(course, students.getFirst())).expect(204);

        assertThat(places("/api/courses/%s/waiting-list".formatted(course))).containsExactly(1, 2);
        assertThat(places(nextPage("/api/students/%s/waiting-lists?limit=1".formatted(students.getLast()))))
                .containsExactly(1);
        assertThat(api.get(path(course, students.getLast()))
                        .expect(200)
                        .json()
                        .path("place")
                        .asInt())
                .isEqualTo(2);
    }

    private List<Integer> places(String path) {
        return api.get(path)
                .expect(200)
                .json()
                .path("waiting")
                .valueStream()
                .map(place -> place.path("place").asInt())
                .toList();
    }

    private String nextPage(String path) {
        return api.get(path).expect(200).header("Link").replaceAll("^<|>.*$", "");
    }

    private static boolean isAtLimit(Answer place) {
        return place.expect(200).json().path("atLimit").asBoolean(false);
    }

    @Test
    void an_unknown_course_or_student_is_not_found() {
        String course = fullCourse();

        api.put(path("nowhere", api.student())).expectProblem(404, "course-unknown");
        api.put(path(course, "unknown")).expectProblem(404, "student-unknown");
        api.delete(path("nowhere", api.student())).expectProblem(404, "course-unknown");
        api.delete(path(course, "unknown")).expectProblem(404, "student-unknown");
        api.put(path(course, "no%20body")).expectProblem(422, "invalid-value");
    }

    private String fullCourse() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        return course;
    }

    private static String path(String course, String student) {
        return "/api/courses/%s/waiting-list/%s".formatted(course, student);
    }
}
