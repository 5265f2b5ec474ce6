package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Enrollments over HTTP: enrolled, dropped, listed by course and by student, refused. */
@ServiceTest
class EnrollmentsTest {
    private final Api api;

    EnrollmentsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void a_student_is_enrolled_and_looked_up() {
        String course = api.course(2);
        String student = api.student();

        Answer enrolled = api.enroll(student, course);

        enrolled.expect(201);
        assertThat(enrolled.text()).isEmpty();
        assertThat(enrolled.header("Location")).isEqualTo(path(course, student));
        Answer found = api.get(enrolled.header("Location")).expect(200);
        assertThat(found.header("ETag")).startsWith("\"%s-".formatted(enrolled.position()));
        assertThat(found.json().path("courseId").asString()).isEqualTo(course);
        assertThat(found.json().path("studentId").asString()).isEqualTo(student);
        assertThat(Instant.parse(found.json().path("enrolledAt").asString()))
                .isBefore(Instant.now().plusSeconds(1));
    }

    @Test
    void a_student_drops_a_course_and_may_enroll_again() {
        String course = api.course(1);
        String student = api.student();
        long enrolled = api.enroll(student, course).expect(201).position();

        Answer dropped = api.delete(path(course, student));

        dropped.expect(204);
        assertThat(dropped.text()).isEmpty();
        assertThat(dropped.position()).isGreaterThan(enrolled);
        api.get(path(course, student)).expectProblem(404, "not-enrolled");
        api.enroll(student, course).expect(201);
    }

    @Test
    void a_student_takes_a_course_instead_of_another_one_or_keeps_it() {
        String given = api.course(1);
        String wanted = api.course(1);
        String student = api.student();
        api.enroll(student, given).expect(201);
        String swap = path(wanted, student) + "?insteadOf=" + given;
        String other = api.student();
        api.enroll(other, wanted).expect(201);
        api.put(swap).expectProblem(409, "course-full");
        api.get(path(given, student)).expect(200);
        api.delete(path(wanted, other)).expect(204);

        String key = Api.newId("key");
        Answer swapped = api.put(swap, "", "Idempotency-Key", key).expect(201);
        api.put(path(wanted, student), "", "Idempotency-Key", key).expectProblem(422, "idempotency-key-reused");

        assertThat(swapped.header("Location")).isEqualTo(path(wanted, student));
        api.get(path(wanted, student)).expect(200);
        api.get(path(given, student)).expectProblem(404, "not-enrolled");
        assertThat(api.put(swap).expect(200).json().path("courseId").asString()).isEqualTo(wanted);
        api.put(path(given, student) + "?insteadOf=" + api.course(1)).expectProblem(409, "not-enrolled-in-other");
        api.put(path(given, student) + "?insteadOf=" + Api.newId("none")).expectProblem(404, "course-unknown");
        Answer invalid = api.put(path(given, student) + "?insteadOf=a%20b").expectProblem(422, "invalid-value");
        assertThat(invalid.json().at("/errors/0/parameter").asString()).isEqualTo("insteadOf");
    }

    @Test
    void the_students_of_a_course_are_listed_in_the_order_of_enrollment() {
        String course = api.course(3);
        String first = api.student();
        String gone = api.student();
        String second = api.student();
        api.enroll(first, course).expect(201);
        api.enroll(gone, course).expect(201);
        api.enroll(second, course).expect(201);

        Answer all = api.get("/api/courses/%s/students".formatted(course)).expect(200);
        Answer strong = api.get("/api/courses/%s/students?consistency=strong".formatted(course))
                .expect(200);

        assertThat(listed(all, "studentId")).containsExactly(first, gone, second);
        assertThat(strong.json()).isEqualTo(all.json());
        assertThat(strong.header("ETag")).isEqualTo(all.header("ETag"));

        api.delete(path(course, gone)).expect(204);
        assertThat(listed(api.get("/api/courses/%s/students".formatted(course)), "studentId"))
                .containsExactly(first, second);
    }

    @Test
    void the_courses_of_a_student_are_listed_in_the_order_of_enrollment() {
        String student = api.student();
        String first = api.course(1);
        String second = api.course(1);
        api.enroll(student, first).expect(201);
        api.enroll(student, second).expect(201);

        Answer all = api.get("/api/students/%s/courses".formatted(student)).expect(200);
        Answer strong = api.get("/api/students/%s/courses?consistency=strong".formatted(student))
                .expect(200);

        assertThat(listed(all, "courseId")).containsExactly(first, second);
        assertThat(listed(all, "studentId")).containsExactly(student, student);
        assertThat(strong.json()).isEqualTo(all.json());
        assertThat(strong.header("ETag")).isEqualTo(all.header("ETag"));
    }

    @Test
    void with_strong_consistency_a_list_is_whole() {
        String course = api.course(3);
        List<String> students = Stream.generate(api::student).limit(3).toList();
        students.forEach(student -> api.enroll(student, course).expect(201));

        Answer whole = api.get("/api/courses/%s/students?limit=1&consistency=strong".formatted(course))
                .expect(200);

        assertThat(listed(whole, "studentId")).isEqualTo(students);
        assertThat(whole.header("Link")).isEmpty();
    }

    /* The reader has written nothing, so its requests name no position that the view must have reached. */
    @Test
    void a_strong_look_up_shows_every_write_that_was_answered_before_it(@LocalServerPort int port) {
        Api reader = new Api(port);
        String course = api.course(20);
        for (int enrolled = 1; enrolled <= 20; enrolled++) {
            long last = api.enroll(api.student(), course).expect(201).position();

            Answer found = reader.get("/api/courses/%s?consistency=strong".formatted(course))
                    .expect(200);

            assertThat(found.json().path("enrolled").asInt()).isEqualTo(enrolled);
            assertThat(found.position()).isGreaterThanOrEqualTo(last);
        }
    }

    @Test
    void a_list_is_empty_at_first() {
        api.get("/api/courses/%s/students".formatted(api.course(1))).expect(200).expectJson("{'enrollments': []}");
        api.get("/api/students/%s/courses".formatted(api.student())).expect(200).expectJson("{'enrollments': []}");
        api.get("/api/courses/nowhere/students").expectProblem(404, "course-unknown");
    }

    @Test
    void an_unknown_course_or_student_is_not_found() {
        String course = api.course(1);
        String student = api.student();

        api.enroll(student, "nowhere").expectProblem(404, "course-unknown");
        api.enroll("unknown", course).expectProblem(404, "student-unknown");
        api.delete(path("nowhere", student)).expectProblem(404, "course-unknown");
        api.delete(path(course, "unknown")).expectProblem(404, "student-unknown");
        api.get(path(course, student)).expectProblem(404, "not-enrolled");
    }

    private static String path(String course, String student) {
        return "/api/courses/%s/students/%s".formatted(course, student);
    }

    private static List<String> listed(Answer enrollments, String field) {
        return enrollments
                .json()
                .path("enrollments")
                .valueStream()
                .map(enrollment -> enrollment.path(field).asString())
                .toList();
    }
}
