package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Weekly times of courses over HTTP: who may enroll, and who clashes after a change. */
@ServiceTest
class CourseTimesTest {
    private final Api api;

    CourseTimesTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void a_clashing_enrollment_is_refused_until_the_times_change() {
        String maths = onMonday("10:00", "12:00");
        String music = onMonday("11:00", "13:00");
        String student = api.student();
        api.enroll(student, maths).expect(201);

        JsonNode refused =
                api.enroll(student, music).expectProblem(409, "times-clash").json();
        assertThat(refused.path("detail").asString()).contains(maths, "Mon 11:00-13:00", "Mon 10:00-12:00");
        assertThat(refused.path("clashesWith").toString()).isEqualTo("[\"%s\"]".formatted(maths));
        assertThat(api.enroll("nobody", music)
                        .expectProblem(404, "student-unknown")
                        .json()
                        .has("clashesWith"))
                .isFalse();
        Answer changed = change(music, "12:00", "13:00").expect(200);
        assertThat(changed.json().path("times").toString())
                .isEqualTo("[{\"day\":\"MONDAY\",\"from\":\"12:00\",\"to\":\"13:00\"}]");
        assertThat(changed.json().has("clashes")).isFalse();
        api.enroll(student, music).expect(201);
    }

    @Test
    void a_course_may_meet_until_midnight() {
        Answer changed = change(api.course(1), "22:00", "24:00").expect(200);

        assertThat(changed.json().path("times").toString())
                .isEqualTo("[{\"day\":\"MONDAY\",\"from\":\"22:00\",\"to\":\"24:00\"}]");
    }

    @Test
    void a_swap_compares_the_courses_that_remain() {
        String maths = onMonday("10:00", "12:00");
        String music = onMonday("11:00", "13:00");
        String latin = onMonday("11:00", "11:30");
        String student = api.student();
        api.enroll(student, maths).expect(201);

        swap(student, music, maths).expect(201);
        swap(student, latin, api.course(1)).expectProblem(409, "times-clash");
        String greek = api.course(1);
        api.enroll(student, greek).expect(201);
        swap(student, latin, greek).expectProblem(409, "times-clash");

        assertThat(api.get("/api/students/%s/courses".formatted(student))
                        .json()
                        .path("enrollments")
                        .valueStream()
                        .map(each -> each.path("courseId").asString()))
                .containsExactly(music, greek);
    }

    @Test
    void changed_times_tell_who_clashes() {
        String maths = onMonday("10:00", "12:00");
        String music = onMonday("12:00", "13:00");
        String latin = onMonday("13:00", "14:00");
        String none = api.course(9);
        List<String> students = Stream.generate(api::student).limit(3).toList();
        students.forEach(student -> api.enroll(student, maths).expect(201));
        students.forEach(student -> api.enroll(student, none).expect(201));
        api.enroll(students.get(1), music).expect(201);
        api.enroll(students.get(2), music).expect(201);
        api.enroll(students.get(2), latin).expect(201);

        Answer changed = change(maths, "12:30", "13:30").expect(200);

        assertThat(changed.json().path("id").asString()).isEqualTo(maths);
        String second = "{\"studentId\":\"%s\",\"courses\":[\"%s\"]}".formatted(students.get(1), music);
        String third = "{\"studentId\":\"%s\",\"courses\":[\"%s\",\"%s\"]}".formatted(students.get(2), music, latin);
        String both = "{\"count\":2,\"students\":[%s,%s]}".formatted(second, third);
        assertThat(changed.json().path("clashes").toString()).isEqualTo(both);
        assertThat(clashes(maths, "").text()).isEqualTo(both);
        assertThat(clashes(latin, "").text())
                .isEqualTo("{\"count\":1,\"students\":[{\"studentId\":\"%s\",\"courses\":[\"%s\"]}]}"
                        .formatted(students.get(2), maths));
        assertThat(clashes(none, "").text()).isEqualTo("{\"count\":0,\"students\":[]}");

        Answer first = clashes(maths, "?limit=1");
        assertThat(first.text()).isEqualTo("{\"count\":2,\"students\":[%s]}".formatted(second));
        String link = first.header("Link");
        Answer last = api.get(link.substring(1, link.indexOf('>'))).expect(200);
        assertThat(last.text()).isEqualTo("{\"count\":2,\"students\":[%s]}".formatted(third));
        assertThat(last.header("Link")).isEmpty();

        api.delete("/api/courses/%s/students/%s".formatted(maths, students.get(1)))
                .expect(204);
        api.put("/api/courses/%s/times".formatted(music), "{\"times\": []}").expect(200);
        assertThat(clashes(maths, "").text())
                .isEqualTo("{\"count\":1,\"students\":[{\"studentId\":\"%s\",\"courses\":[\"%s\"]}]}"
                        .formatted(students.get(2), latin));
    }

    @Test
    void clashes_of_no_course_are_unknown() {
        api.get("/api/courses/nowhere/clashes").expectProblem(404, "course-unknown");
        api.put("/api/courses/nowhere/times", "{\"times\": []}").expectProblem(404, "course-unknown");
        api.get("/api/courses/%s/clashes?limit=0".formatted(api.course(1))).expectProblem(422, "invalid-value");
    }

    /*
     * A student enrolls in three courses that meet at the same time, at once. Each request finds no other course, and one
     * of them is first. The others conflict with it, decide again, and are refused.
     */
    @RepeatedTest(5)
    void concurrent_enrollments_in_clashing_courses_leave_one() {
        List<String> courses =
                Stream.generate(() -> onMonday("10:00", "12:00")).limit(3).toList();
        String student = api.student();

        List<Answer> answers = courses.stream().map(course -> enrolling(student, course)).toList().stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(201, 409, 409);
        answers.stream()
                .filter(answer -> answer.status() == 409)
                .forEach(answer -> answer.expectProblem(409, "times-clash"));
    }

    /* The answer to an enrollment, which is sent again as long as the service is too busy to decide. */
    private CompletableFuture<Answer> enrolling(String student, String course) {
        return api.sending("PUT", "/api/courses/%s/students/%s".formatted(course, student), "")
                .thenCompose(answer -> answer.status() == 503
                        ? enrolling(student, course)
                        : CompletableFuture.completedFuture(answer));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            null                                                                                  | /times
            [{"day": "Mo", "from": "10:00", "to": "11:00"}]                                       | /times/0/day
            [{"day": "MONDAY", "from": "10", "to": "11:00"}]                                      | /times/0/from
            [{"day": "MONDAY", "from": "24:00", "to": "24:00"}]                                   | /times/0/from
            [{"day": "MONDAY", "from": "22:00", "to": "24:01"}]                                   | /times/0/to
            [{"day": "MONDAY", "from": "22:00", "to": "00:00"}]                                   | /times
            [{"day": "MONDAY", "from": "11:00", "to": "11:00"}]                                   | /times
            [null]                                                                                | /times/0
            [{"day": "MONDAY", "from": "10:00", "to": "11:00"}, {"day": "FRIDAY", "from": null, "to": "11:00"}] | /times/1/from
            """)
    void times_must_be_a_list_of_meetings(String given, String pointer) {
        api.put("/api/courses/%s/times".formatted(api.course(1)), "{\"times\": %s}".formatted(given))
                .expectProblem(422, "invalid-value")
                .expectPointer(pointer);
    }

    @Test
    void a_time_without_its_leading_zero_is_refused_with_how_to_write_it() {
        Answer refused = change(api.course(1), "8:00", "9:30").expectProblem(422, "invalid-value");

        assertThat(refused.json().findValuesAsString("detail"))
                .contains(
                        "must be a time such as 08:00, from 00:00 to 23:59",
                        "must be a time such as 09:30, from 00:01 to 24:00");
    }

    private String onMonday(String from, String to) {
        String course = api.course(9);
        change(course, from, to).expect(200);
        return course;
    }

    private Answer change(String course, String from, String to) {
        return api.put(
                "/api/courses/%s/times".formatted(course),
                "{\"times\": [{\"day\": \"MONDAY\", \"from\": \"%s\", \"to\": \"%s\"}]}".formatted(from, to));
    }

    private Answer swap(String student, String course, String other) {
        return api.put("/api/courses/%s/students/%s?insteadOf=%s".formatted(course, student, other));
    }

    private Answer clashes(String course, String parameters) {
        return api.get("/api/courses/%s/clashes%s".formatted(course, parameters))
                .expect(200);
    }
}
