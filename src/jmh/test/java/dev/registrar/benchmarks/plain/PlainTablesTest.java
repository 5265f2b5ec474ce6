package dev.registrar.benchmarks.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/** The plain tables keep the service's rules, and answer as the service does. Otherwise they are no baseline. */
@ServiceTest
@TestPropertySource(properties = {PlainTables.ENABLED + "=true", "registrar.enrollment.courses-per-student=2"})
class PlainTablesTest {
    private static final int CALLERS = 16;

    private final Api api;
    private final PlainTables tables;

    @Autowired
    PlainTablesTest(@LocalServerPort int port, PlainTables tables) {
        this.api = new Api(port);
        this.tables = tables;
    }

    @Test
    void an_enrollment_is_answered_as_the_service_answers_it() {
        String course = api.course(2);
        String student = api.student();
        copy();

        Answer plain = plain(student, course);
        Answer service = api.enroll(student, course);

        assertThat(plain.expect(201).text()).isEqualTo(service.expect(201).text());
        assertThat(plain.header("Location")).isEqualTo(service.header("Location"));
        assertThat(plain(student, course).expect(200).json().path("studentId").asString())
                .isEqualTo(student);
        assertThat(seats(course)).isOne();
    }

    @Test
    void a_course_has_the_same_body() {
        String course = api.course(3);
        String required = api.course(3);
        api.put("/api/courses/%s/prerequisites".formatted(course), "{\"prerequisites\": [\"%s\"]}".formatted(required))
                .expect(200);
        String student = api.student();
        copy();
        set("update plain.courses set prerequisites = array['%s'] where id = '%s'".formatted(required, course));

        plain(student, required).expect(201);
        api.enroll(student, required).expect(201);

        for (String each : List.of(course, required)) {
            String path = "/api/courses/" + each;
            assertThat(api.get(path, PlainTables.HEADER, "yes").expect(200).text())
                    .isEqualTo(api.get(path).expect(200).text());
        }
        api.get("/api/courses/absent", PlainTables.HEADER, "yes").expectProblem(404, "course-unknown");
    }

    @Test
    void each_rule_is_kept_in_the_service_s_order() {
        String full = api.course(1);
        String other = api.course(5);
        String third = api.course(5);
        String first = api.student();
        String second = api.student();
        copy();
        plain(first, full).expect(201);

        plain(second, full).expectProblem(409, "course-full");
        plain(first, full).expect(200);
        plain(second, "absent").expectProblem(404, "course-unknown");
        plain("absent", full).expectProblem(404, "student-unknown");

        plain(first, other).expect(201);
        plain(first, third).expectProblem(409, "student-at-limit");
        set("update plain.students set tier = 'standard' where id = '%s'".formatted(first));
        plain(first, third).expect(201);

        set("update plain.courses set waiting = 1 where id = '%s'".formatted(full));
        plain(second, full).expectProblem(409, "waiting-list-not-empty");
        set("update plain.courses set prerequisites = array['%s'] where id = '%s'".formatted(other, full));
        plain(second, full).expectProblem(409, "prerequisite-missing");
        set("update plain.courses set opens_at = now() + interval '1 day' where id = '%s'".formatted(full));
        plain(second, full).expectProblem(409, "outside-enrollment-window");
        set("update plain.courses set closed = true where id = '%s'".formatted(full));
        plain(second, full).expectProblem(409, "course-closed");
        plain(first, full).expect(200);
        assertThat(seats(full)).isOne();
    }

    @Test
    void a_student_with_the_prerequisite_is_enrolled() {
        String required = api.course(1);
        String course = api.course(1);
        String student = api.student();
        copy();
        set("update plain.courses set prerequisites = array['%s'] where id = '%s'".formatted(required, course));
        plain(student, course).expectProblem(409, "prerequisite-missing");

        plain(student, required).expect(201);

        plain(student, course).expect(201);
    }

    @Test
    void an_enrollment_under_a_key_happens_once() {
        String course = api.course(1);
        String student = api.student();
        String late = api.student();
        String key = Api.newId("key");
        copy();

        Answer first = plain(student, course, "Idempotency-Key", key).expect(201);
        Answer again = plain(student, course, "Idempotency-Key", key).expect(201);

        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        plain(late, course, "Idempotency-Key", key).expectProblem(422, "idempotency-key-reused");
        assertThat(seats(course)).isOne();
    }

    @Test
    void a_refusal_does_not_use_the_key() {
        String course = api.course(1);
        String late = api.student();
        String key = Api.newId("key");
        String student = api.student();
        copy();
        plain(student, course).expect(201);

        plain(late, course, "Idempotency-Key", key).expectProblem(409, "course-full");
        set("update plain.courses set capacity = 2 where id = '%s'".formatted(course));

        plain(late, course, "Idempotency-Key", key).expect(201);
    }

    /* Each caller enrolls another student, all at once: one of them gets the seat that is left. */
    @Test
    void one_of_many_callers_gets_the_last_seat() {
        String course = api.course(3);
        List<String> students =
                IntStream.range(0, CALLERS + 2).mapToObj(i -> api.student()).toList();
        copy();
        plain(students.get(0), course).expect(201);
        plain(students.get(1), course).expect(201);

        List<Integer> statuses =
                race(students.subList(2, students.size()).stream().map(one -> path(one, course)));

        assertThat(statuses).hasSize(CALLERS).containsOnlyOnce(201);
        assertThat(statuses.stream().filter(status -> status == 409)).hasSize(CALLERS - 1);
        assertThat(seats(course)).isEqualTo(3);
    }

    /* The seat that the first takes is the last one: the others of the same student must not hear that it is full. */
    @Test
    void one_of_many_equal_requests_enrolls_and_the_others_find_that() {
        String course = api.course(1);
        String student = api.student();
        copy();

        List<Integer> statuses =
                race(Stream.generate(() -> path(student, course)).limit(CALLERS));

        assertThat(statuses).hasSize(CALLERS).containsOnlyOnce(201);
        assertThat(statuses.stream().filter(status -> status == 200)).hasSize(CALLERS - 1);
        assertThat(seats(course)).isOne();
    }

    /* Each caller enrolls the same student in another course, all at once: as many succeed as the limit allows. */
    @Test
    void a_student_does_not_exceed_the_limit() {
        List<String> courses =
                IntStream.range(0, CALLERS).mapToObj(i -> api.course(1)).toList();
        String student = api.student();
        copy();

        List<Integer> statuses = race(courses.stream().map(course -> path(student, course)));

        assertThat(statuses.stream().collect(Collectors.groupingBy(status -> status, Collectors.counting())))
                .containsOnlyKeys(201, 409)
                .containsEntry(201, 2L);
        assertThat(courses.stream().mapToInt(this::seats).sum()).isEqualTo(2);
    }

    private List<Integer> race(Stream<String> paths) {
        List<CompletableFuture<Answer>> sent = paths.map(
                        path -> api.sending("PUT", path, "", PlainTables.HEADER, "yes"))
                .toList();
        return sent.stream().map(answer -> answer.join().status()).toList();
    }

    private Answer plain(String student, String course, String... headers) {
        String[] all = Stream.concat(Stream.of(PlainTables.HEADER, "yes"), Stream.of(headers))
                .toArray(String[]::new);
        return api.put(path(student, course), "", all);
    }

    private static String path(String student, String course) {
        return "/api/courses/%s/students/%s".formatted(course, student);
    }

    /** Copies what the plain tables lack of the store's courses and students. */
    private void copy() {
        set("truncate plain.courses, plain.students, plain.enrollments");
        set(PlainTables.FILL);
    }

    private void set(String sql) {
        tables.jdbc.sql(sql).update();
    }

    /** The seats taken by the counter, after a check that there are as many rows. */
    private int seats(String course) {
        int counted = count("select enrolled from plain.courses where id = ?", course);
        assertThat(count("select count(*) from plain.enrollments where course = ?", course))
                .isEqualTo(counted);
        return counted;
    }

    private int count(String sql, String course) {
        return tables.jdbc.sql(sql).param(course).query(Integer.class).single();
    }
}
