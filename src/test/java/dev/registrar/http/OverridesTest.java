package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Enrollments by override over HTTP, and what look-ups show of a course with more students than seats. */
@ServiceTest
class OverridesTest {
    private static final String REASON = "{\"reason\": \"Retakes the course\"}";

    private final Api api;

    OverridesTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    private static String path(String course, String student) {
        return "/api/courses/%s/students/%s".formatted(course, student);
    }

    private Answer override(String course, String student) {
        return api.put(path(course, student) + "/override", REASON);
    }

    /** A course of one seat, which is taken. */
    private String full() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        return course;
    }

    private List<JsonNode> roster(String course) {
        List<JsonNode> rows = new ArrayList<>();
        api.get("/api/courses/%s/students".formatted(course))
                .expect(200)
                .json()
                .path("enrollments")
                .forEach(rows::add);
        return rows;
    }

    @Test
    void a_student_is_enrolled_beyond_the_seats_and_the_roster_tells_why_and_by_whom() {
        String course = full();
        String student = api.student();

        Answer admitted = override(course, student).expect(201);

        assertThat(admitted.text()).isEqualTo("{\"clashesWith\":[]}");
        assertThat(admitted.header("Location")).isEqualTo(path(course, student));
        assertThat(api.get(path(course, student)).expect(200).json().propertyNames())
                .containsExactlyInAnyOrder("courseId", "studentId", "enrolledAt");
        List<JsonNode> rows = roster(course);
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst().has("override")).isFalse();
        assertThat(rows.getLast().at("/override/reason").asString()).isEqualTo("Retakes the course");
        assertThat(rows.getLast().at("/override/actor/subject").asString()).isEqualTo("local");
        assertThat(rows.getLast().at("/override/actor/onBehalfOf").asString()).isEqualTo(student);
        assertThat(api.get("/api/courses/%s/students?consistency=strong".formatted(course))
                        .expect(200)
                        .json()
                        .path("enrollments")
                        .values())
                .isEqualTo(rows);
        assertThat(api.get("/api/courses/%s/students?limit=1&after=%s".formatted(course, admitted.position() - 1))
                        .expect(200)
                        .json()
                        .at("/enrollments/0"))
                .isEqualTo(rows.getLast());
    }

    @Test
    void an_override_that_passes_a_clash_says_with_which_courses() {
        String student = api.student();
        String maths = api.course(1);
        String music = api.course(1);
        for (String course : List.of(maths, music)) {
            api.put(
                            "/api/courses/%s/times".formatted(course),
                            "{\"times\": [{\"day\": \"MONDAY\", \"from\": \"10:00\", \"to\": \"12:00\"}]}")
                    .expect(200);
        }
        api.enroll(student, api.course(1)).expect(201);
        api.enroll(student, maths).expect(201);

        assertThat(override(music, student).expect(201).text())
                .isEqualTo("{\"clashesWith\":[\"%s\"]}".formatted(maths));
    }

    @Test
    void a_repetition_is_refused_unless_it_has_the_key() {
        String course = full();
        String student = api.student();
        String key = Api.newId("key");

        Answer first = api.put(path(course, student) + "/override", REASON, "Idempotency-Key", key)
                .expect(201);
        Answer again = api.put(path(course, student) + "/override", REASON, "Idempotency-Key", key)
                .expect(201);

        assertThat(again.position()).isEqualTo(first.position());
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        override(course, student).expectProblem(409, "already-enrolled");
        api.enroll(student, course).expect(200);
        assertThat(roster(course)).hasSize(2);
    }

    @Test
    void what_does_not_exist_is_closed_or_has_no_reason_is_refused() {
        String course = api.course(1);
        String student = api.student();
        override("nowhere", student).expectProblem(404, "course-unknown");
        override(course, "nobody").expectProblem(404, "student-unknown");
        for (String body : List.of("{}", "{\"reason\": null}", "{\"reason\": \" \"}", "{\"reason\": \"a\\nb\"}")) {
            Answer refused = api.put(path(course, student) + "/override", body).expectProblem(422, "invalid-value");
            assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo("/reason");
        }
        String tooLong = "{\"reason\": \"%s\"}".formatted("x".repeat(501));
        assertThat(api.put(path(course, student) + "/override", tooLong)
                        .expectProblem(422, "invalid-value")
                        .text())
                .contains("1 to 500 characters")
                .doesNotContain("xxx");
        api.put(path(course, student) + "/override").expectProblem(415, "unsupported-media-type");
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        override(course, student).expectProblem(409, "course-closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u05D0\u200F \u202Eabc", "<b>&amp; {0} %d", "\uD83D\uDC69\u200D\uD83D\uDC67"})
    void a_reason_is_shown_as_it_was_typed(String reason) {
        String course = full();
        api.put(path(course, api.student()) + "/override", "{\"reason\": \"%s\"}".formatted(reason))
                .expect(201);

        assertThat(roster(course).getLast().at("/override/reason").asString()).isEqualTo(reason);
    }

    /* Five students of three seats: the fourth is in by override from the waiting list, the fifth against the limit. */
    @Test
    void a_course_with_more_students_than_seats_is_full_until_a_seat_is_really_free() {
        String course = api.course(3);
        List<String> students = Stream.generate(api::student).limit(5).toList();
        students.subList(0, 3).forEach(student -> api.enroll(student, course).expect(201));
        String waiting = api.student();
        String place = "/api/courses/%s/waiting-list/".formatted(course);
        api.put(place + students.get(3)).expect(201);
        api.put(place + waiting).expect(201);

        override(course, students.get(3)).expect(201);
        override(course, students.get(4)).expect(201);

        assertSeats(course, 3, 5, 0, 1);
        api.get(place + students.get(3)).expectProblem(404, "not-waiting");
        api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": 2}")
                .expectProblem(409, "capacity-below-enrolled");
        api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": 4}")
                .expect(200);
        assertSeats(course, 4, 5, 0, 1);
        api.delete(path(course, students.get(3))).expect(204);
        assertSeats(course, 4, 4, 0, 1);
        api.delete(path(course, students.get(4))).expect(204);
        awaitSeat(course, waiting);
        assertSeats(course, 4, 4, 0, 0);
    }

    private void assertSeats(String course, int capacity, int enrolled, int available, int waiting) {
        JsonNode shown = api.get("/api/courses/" + course).expect(200).json();
        assertThat(shown.path("capacity").asInt()).isEqualTo(capacity);
        assertThat(shown.path("enrolled").asInt()).isEqualTo(enrolled);
        assertThat(shown.path("available").asInt()).isEqualTo(available);
        assertThat(shown.path("waiting").asInt()).isEqualTo(waiting);
        assertThat(shown.path("full").asBoolean()).isTrue();
    }

    private void awaitSeat(String course, String student) {
        await().until(() -> api.get(path(course, student)).status() == 200);
        assertThat(roster(course).getLast().has("override")).isFalse();
    }

    @Test
    void filters_and_orders_take_such_a_course_as_one_without_free_seats() {
        String word = Api.newId("overbooked");
        String course = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"%s\", \"capacity\": 1}".formatted(course, word))
                .expect(201);
        override(course, api.student()).expect(201);
        override(course, api.student()).expect(201);

        for (String list : List.of("filter=full", "filter=all&sort=seats", "filter=full&sort=popularity")) {
            JsonNode found = api.get("/api/courses?search=%s&%s".formatted(word, list))
                    .expect(200)
                    .json();
            assertThat(found.at("/courses/0/available").asInt(-1)).as(list).isZero();
            assertThat(found.at("/courses/0/enrolled").asInt()).isEqualTo(2);
        }
        assertThat(api.get("/api/courses?filter=open&search=" + word)
                        .expect(200)
                        .json()
                        .path("courses")
                        .size())
                .isZero();
    }

    @Test
    void an_ordinary_enrollment_after_a_drop_has_no_reason() {
        String course = api.course(2);
        String student = api.student();
        override(course, student).expect(201);
        api.delete(path(course, student)).expect(204);
        assertThat(roster(course)).isEmpty();

        api.enroll(student, course).expect(201);
        assertThat(roster(course).getFirst().has("override")).isFalse();

        api.delete(path(course, student)).expect(204);
        override(course, student).expect(201);
        assertThat(roster(course).getFirst().has("override")).isTrue();
        String other = api.course(1);
        api.put(path(other, student) + "?insteadOf=" + course).expect(201);
        assertThat(roster(course)).isEmpty();
        assertThat(roster(other).getFirst().has("override")).isFalse();
    }

    /*
     * For each of ten students of a course with ten seats, an ordinary enrollment and two overrides are sent at the same
     * time. Each student is enrolled once: at most one override is accepted, and the enrollment in the log is that of the
     * request that was told so.
     */
    @RepeatedTest(3)
    void one_of_several_concurrent_enrollments_of_a_student_counts() {
        String course = api.course(10);
        List<String> students = Stream.generate(api::student).limit(10).toList();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (String student : students) {
            sent.add(decided(path(course, student), ""));
            sent.add(decided(path(course, student) + "/override", REASON));
            sent.add(decided(path(course, student) + "/override", REASON));
        }
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        List<JsonNode> rows = roster(course);
        assertThat(rows.stream().map(row -> row.path("studentId").asString()))
                .containsExactlyInAnyOrderElementsOf(students);
        for (int i = 0; i < students.size(); i++) {
            String student = students.get(i);
            List<Answer> own = answers.subList(3 * i, 3 * i + 3);
            assertThat(own).extracting(Answer::status).isSubsetOf(200, 201, 409).containsOnlyOnce(201);
            boolean isByOverride = own.getFirst().status() != 201;
            assertThat(rows)
                    .filteredOn(row -> row.path("studentId").asString().equals(student))
                    .allMatch(row -> row.has("override") == isByOverride);
        }
    }

    /* The answer to a request, which is sent again as long as the service is too busy to decide. */
    private CompletableFuture<Answer> decided(String path, String body) {
        return api.sending("PUT", path, body)
                .thenCompose(answer ->
                        answer.status() == 503 ? decided(path, body) : CompletableFuture.completedFuture(answer));
    }
}
