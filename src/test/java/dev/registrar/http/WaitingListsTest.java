package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

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
        api.delete(path(course, student)).expectProblem(409, "not-waiting");
        api.put(path(course, student)).expect(201);
    }

    @Test
    void a_join_repeated_under_its_key_is_executed_once() {
        String path = path(fullCourse(), api.student());

        long first = api.put(path, "", "Idempotency-Key", path).expect(201).position();
        Answer again = api.put(path, "", "Idempotency-Key", path).expect(201);

        assertThat(again.position()).isEqualTo(first);
        api.put(path).expectProblem(409, "already-waiting");
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
