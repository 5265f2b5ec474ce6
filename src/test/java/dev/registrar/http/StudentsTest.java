package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Students over HTTP: registered, looked up, changed, refused. */
@ServiceTest
class StudentsTest {
    private final Api api;

    StudentsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void a_student_is_registered_and_looked_up() {
        String id = Api.newId("student");

        Answer registered = register("{'id': '%s', 'name': 'Ann Arbor', 'email': '%s@Example.org'}".formatted(id, id));

        String student = "{'id': '%s', 'name': 'Ann Arbor', 'email': '%s@Example.org'}".formatted(id, id);
        registered.expect(201).expectJson(student);
        assertThat(registered.header("Location")).isEqualTo("/api/students/" + id);
        Answer found = api.get(registered.header("Location")).expect(200).expectJson(student);
        assertThat(found.header("ETag")).startsWith("\"%s-".formatted(registered.position()));
    }

    @Test
    void a_student_without_an_id_gets_a_generated_id() {
        Answer registered = register("{'name': 'Bob', 'email': '%s@example.org'}".formatted(Api.newId("bob")))
                .expect(201);

        String id = registered.json().path("id").asString();
        assertThat(UUID.fromString(id).version()).isEqualTo(7);
        assertThat(registered.header("Location")).isEqualTo("/api/students/" + id);
        api.get("/api/students/" + id).expect(200);
    }

    @Test
    void an_email_address_is_unique_among_spellings_that_look_alike() {
        String name = Api.newId("ze");
        register("{'name': 'Ze', 'email': '%s-\u00E9@example.org'}".formatted(name))
                .expect(201);

        register("{'name': 'Other', 'email': '%s-e\u0301@example.org'}".formatted(name))
                .expectProblem(409, "email-taken");
        register("{'name': 'Other', 'email': '%s\u200B-\u00E9@example.org'}".formatted(name))
                .expectProblem(409, "email-taken");
    }

    @Test
    void the_name_of_a_student_changes_also_in_lists_and_searches() {
        String name = Api.newId("\u00DCbel");
        String id = api.student();

        Answer changed = change(id, "name", name).expect(200);

        assertThat(changed.json().path("name").asString()).isEqualTo(name);
        String after = Long.toString(changed.position());
        Answer found = api.get("/api/students/" + id, "Registrar-After", after).expect(200);
        assertThat(found.json()).isEqualTo(changed.json());
        assertThat(found.header("ETag")).startsWith("\"%s-".formatted(after));
        assertThat(api.get("/api/students?search=u%CC%88BEL" + name.substring(4), "Registrar-After", after)
                        .json()
                        .at("/students/0"))
                .isEqualTo(changed.json());
        change("nobody", "name", name).expectProblem(404, "student-unknown");
        change(id, "name", " ").expectProblem(422, "invalid-value").expectPointer("/name");
    }

    @Test
    void the_address_of_a_student_changes_and_the_former_one_is_free() {
        String id = api.student();
        String other = api.student();
        String former = id + "@example.org";

        change(other, "email", former.toUpperCase(Locale.ROOT)).expectProblem(409, "email-taken");
        Answer changed = change(id, "email", id + "@example.com").expect(200);
        change(other, "email", former.toUpperCase(Locale.ROOT)).expect(200);
        Answer letters = change(other, "email", former).expect(200);

        assertThat(changed.json().path("email").asString()).isEqualTo(id + "@example.com");
        assertThat(letters.json().path("email").asString()).isEqualTo(former);
        assertThat(api.get("/api/students/" + other).json()).isEqualTo(letters.json());
        register("{'name': 'Bob', 'email': '%s'}".formatted(former)).expectProblem(409, "email-taken");
        register("{'name': 'Bob', 'email': '%s@example.org'}".formatted(other)).expect(201);
        change("nobody", "email", former).expectProblem(404, "student-unknown");
        change(id, "email", "at example.org")
                .expectProblem(422, "invalid-value")
                .expectPointer("/email");
    }

    /* The answer shows the student as of now, not the registration. */
    @Test
    void a_repeated_registration_is_answered_with_the_present_name() {
        String id = Api.newId("student");
        String body = "{\"id\": \"%1$s\", \"name\": \"Ann\", \"email\": \"%1$s@example.org\"}".formatted(id);
        String key = Api.newId("key");
        api.change("POST", "/api/students", body, key).expect(201);
        change(id, "name", "Ann Arbor").expect(200);

        Answer repeated =
                api.post("/api/students", body, "Idempotency-Key", key).expect(201);

        if (!repeated.text().isEmpty()) { // the view is not behind
            assertThat(repeated.json().path("name").asString()).isEqualTo("Ann Arbor");
        }
    }

    private Answer change(String student, String field, String value) {
        return api.change(
                "PUT",
                "/api/students/%s/%s".formatted(student, field),
                "{\"%s\": \"%s\"}".formatted(field, value),
                Api.newId("key"));
    }

    @Test
    void the_tier_of_a_student_changes() {
        String id = api.student();
        assertThat(api.get("/api/students/" + id).expect(200).json().has("tier"))
                .isFalse();
        tier(id, "basic").expect(200);
        Answer raised = tier(id, "standard").expect(200);

        assertThat(raised.json().path("tier").asString()).isEqualTo("standard");
        for (String consistency : List.of("view", "strong")) {
            Answer found = api.get(
                            "/api/students/%s?consistency=%s".formatted(id, consistency),
                            "Registrar-After",
                            Long.toString(raised.position()))
                    .expect(200);
            assertThat(found.json()).isEqualTo(raised.json());
            assertThat(found.header("ETag")).startsWith("\"%s-".formatted(raised.position()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"gold\"", "\"BASIC\"", "null"})
    void a_tier_that_does_not_exist_is_refused(String tier) {
        api.put("/api/students/%s/tier".formatted(api.student()), "{\"tier\": %s}".formatted(tier))
                .expectProblem(422, "invalid-value")
                .expectPointer("/tier");
    }

    private Answer tier(String student, String tier) {
        return api.change(
                "PUT",
                "/api/students/%s/tier".formatted(student),
                "{\"tier\": \"%s\"}".formatted(tier),
                Api.newId("key"));
    }

    private Answer register(String student) {
        return api.post("/api/students", student.replace('\'', '"'));
    }
}
