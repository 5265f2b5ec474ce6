package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The Idempotency-Key: a command accepted under a key is executed once, even if it is sent several times. */
@ServiceTest
class IdempotencyTest {
    private static final String KEY = "Idempotency-Key";

    private final Api api;
    private final EventStore store;

    IdempotencyTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    @Test
    void a_repeated_definition_gets_the_first_response() {
        String key = Api.newId("key");
        String course = "{\"title\": \"Latin\", \"capacity\": 2}";
        Answer first = api.post("/api/courses", course, KEY, key).expect(201);

        Answer repeated = shown(course, key);

        assertRepeats(repeated, first);
        assertThat(repeated.json()).isEqualTo(first.json());
        assertThat(events(first)).isOne();
    }

    @Test
    void a_repetition_shows_the_current_course() {
        String key = Api.newId("key");
        String course = "{\"title\": \"Latin\", \"capacity\": 2}";
        Answer first = api.post("/api/courses", course, KEY, key).expect(201);
        api.enroll(api.student(), first.json().path("id").asString()).expect(201);

        Answer repeated = shown(course, key);

        assertRepeats(repeated, first);
        assertThat(repeated.json().path("enrolled").asInt()).isOne();
    }

    /* While the view is behind, the answer has no body. */
    private Answer shown(String course, String key) {
        return await().until(
                        () -> api.post("/api/courses", course, KEY, key),
                        answer -> answer.status() != 201 || !answer.text().isEmpty());
    }

    @Test
    void every_other_write_is_idempotent_too() {
        String course = api.course(1);
        String student = api.student();
        String seat = "/api/courses/%s/students/%s".formatted(course, student);

        assertDoneOnce("POST", "/api/students", "{\"name\": \"Bob\", \"email\": \"%s@example.org\"}".formatted(course));
        assertDoneOnce("PUT", seat, "");
        assertDoneOnce("PUT", "/api/courses/%s/title".formatted(course), "{\"title\": \"Sets\"}");
        assertDoneOnce("PUT", "/api/courses/%s/capacity".formatted(course), "{\"capacity\": 5}");
        assertDoneOnce("PUT", "/api/courses/%s/window".formatted(course), "{\"closesAt\": \"9999-01-01T00:00:00Z\"}");
        assertDoneOnce("PUT", "/api/courses/%s/prerequisites".formatted(course), required(api.course(1)));
        assertDoneOnce(
                "PUT",
                "/api/courses/%s/times".formatted(course),
                "{\"times\": [{\"day\": \"MONDAY\", \"from\": \"10:00\", \"to\": \"11:30\"}]}");
        assertDoneOnce("PUT", "/api/students/%s/name".formatted(student), "{\"name\": \"Ann Arbor\"}");
        assertDoneOnce(
                "PUT",
                "/api/students/%s/email".formatted(student),
                "{\"email\": \"%s@example.com\"}".formatted(student));
        assertDoneOnce("PUT", "/api/students/%s/tier".formatted(student), "{\"tier\": \"basic\"}");
        assertDoneOnce("DELETE", seat, "");
        assertDoneOnce("POST", "/api/courses/%s/close".formatted(course), "");
    }

    @Test
    void a_repetition_succeeds_even_after_the_enrollment_ended() {
        String key = Api.newId("key");
        String seat = "/api/courses/%s/students/%s".formatted(api.course(1), api.student());
        Answer first = api.put(seat, "", KEY, key).expect(201);
        api.delete(seat).expect(204);

        assertRepeats(api.put(seat, "", KEY, key), first);

        api.get(seat).expectProblem(404, "not-enrolled");
    }

    @Test
    void a_refused_command_is_decided_again() {
        String key = Api.newId("key");
        String course = api.course(1);
        String first = api.student();
        String seat = "/api/courses/%s/students/%s".formatted(course, api.student());
        api.enroll(first, course).expect(201);

        api.put(seat, "", KEY, key).expectProblem(409, "course-full");
        api.delete("/api/courses/%s/students/%s".formatted(course, first)).expect(204);
        api.put(seat, "", KEY, key).expect(201);
    }

    @Test
    void a_key_is_bound_to_method_path_and_body() {
        String key = Api.newId("key");
        String course = api.course(1);
        String seat = "/api/courses/%s/students/%s".formatted(course, api.student());
        String capacity = "/api/courses/%s/capacity".formatted(course);
        api.put(seat, "", KEY, key).expect(201);

        api.delete(seat, KEY, key).expectProblem(422, "idempotency-key-reused");
        api.enroll(api.student(), course).expectProblem(409, "course-full");
        api.put("/api/courses/%s/students/%s".formatted(course, api.student()), "", KEY, key)
                .expectProblem(422, "idempotency-key-reused");

        String other = Api.newId("key");
        api.put(capacity, "{\"capacity\": 2}", KEY, other).expect(200);
        api.put(capacity, "{\"capacity\": 3}", KEY, other).expectProblem(422, "idempotency-key-reused");
        api.put(capacity, "{\"capacity\": 2 }", KEY, other).expectProblem(422, "idempotency-key-reused");
        api.get("/api/courses/" + course).expect(200);
        assertThat(api.get("/api/courses/" + course).json().path("capacity").asInt())
                .isEqualTo(2);
    }

    @Test
    void a_malformed_key_is_refused() {
        close("").expectProblem(400, "idempotency-key-malformed");
        close("two words").expectProblem(400, "idempotency-key-malformed");
        String longest = Api.newId("key") + "-".repeat(300);

        close(longest.substring(0, 256)).expectProblem(400, "idempotency-key-malformed");
        close(longest.substring(0, 255)).expect(200);
    }

    /*
     * Sixteen requests under one key are in flight at once. Each may look up the key before another request has
     * appended, so the append itself must detect the duplicates.
     */
    @Test
    void concurrent_duplicates_append_once() {
        for (int round = 0; round < 2; round++) {
            String key = Api.newId("key");
            String course = "{\"title\": \"Latin\", \"capacity\": 2}";
            List<CompletableFuture<Answer>> racers = Stream.generate(
                            () -> api.sending("POST", "/api/courses", course, KEY, key))
                    .limit(16)
                    .toList();

            List<Answer> answers = racers.stream().map(CompletableFuture::join).toList();

            Answer first = answers.getFirst().expect(201);
            assertThat(answers).allSatisfy(answer -> {
                assertRepeats(answer, first);
                assertThat(answer.json()).isEqualTo(first.json());
            });
            assertThat(events(first)).isOne();
        }
    }

    private static String required(String course) {
        return "{\"prerequisites\": [\"%s\"]}".formatted(course);
    }

    private Answer close(String key) {
        return api.post("/api/courses/%s/close".formatted(api.course(1)), "", KEY, key);
    }

    private void assertDoneOnce(String method, String path, String json) {
        String key = Api.newId("key");
        Answer first = api.change(method, path, json, key);
        assertThat(first.status()).as(first.text()).isBetween(200, 204);
        long head = store.head().position().value();

        Answer repeated = api.change(method, path, json, key);

        assertRepeats(repeated, first);
        assertThat(repeated.text()).isEqualTo(first.text());
        assertThat(store.head().position().value()).isEqualTo(head);
    }

    private static void assertRepeats(Answer repeated, Answer first) {
        repeated.expect(first.status());
        assertThat(repeated.header("Location")).isEqualTo(first.header("Location"));
        assertThat(repeated.position()).isEqualTo(first.position());
    }

    private long events(Answer course) {
        return store.count(
                Query.of(QueryItem.tags("course:" + course.json().path("id").asString())));
    }
}
