package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Students over HTTP: registered, looked up, and every refusal. */
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
        assertThat(found.header("ETag")).startsWith("\"%d-".formatted(registered.position()));
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
    void a_student_id_is_taken_once() {
        String id = api.student();

        register("{'id': '%s', 'name': 'Other', 'email': 'other-%s@example.org'}".formatted(id, id))
                .expectProblem(409, "student-id-taken");
    }

    @Test
    void an_email_address_is_taken_once_in_upper_and_lower_case() {
        String id = api.student();

        register("{'name': 'Other', 'email': '%s@EXAMPLE.ORG'}".formatted(id)).expectProblem(409, "email-taken");
    }

    @Test
    void an_email_address_is_taken_once_in_spellings_that_look_alike() {
        String name = Api.newId("ze");
        register("{'name': 'Ze', 'email': '%s-\u00E9@example.org'}".formatted(name))
                .expect(201);

        register("{'name': 'Other', 'email': '%s-e\u0301@example.org'}".formatted(name))
                .expectProblem(409, "email-taken");
        register("{'name': 'Other', 'email': '%s\u200B-\u00E9@example.org'}".formatted(name))
                .expectProblem(409, "email-taken");
    }

    @Test
    void a_student_who_was_never_registered_is_not_found() {
        api.get("/api/students/nobody").expectProblem(404, "student-unknown");
        api.get("/api/students/nobody/courses").expectProblem(404, "student-unknown");
    }

    private Answer register(String student) {
        return api.post("/api/students", student.replace('\'', '"'));
    }
}
