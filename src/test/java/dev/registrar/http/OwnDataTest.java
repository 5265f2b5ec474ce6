package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.EventStore;
import dev.registrar.security.Role;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;

/**
 * What students see of themselves and of others. Ann asks; Bob is registered, enrolled in maths and waits for music; no
 * student is called Cid.
 */
@ServiceWithIssuerTest
class OwnDataTest {
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);
    private static final List<String> CHANGING = List.of("date", "x-correlation-id", "connection");

    private final Api api;
    private final EventStore store;
    private final String ann = Api.newId("ann");
    private final String bob = Api.newId("bob");
    private final String cid = Api.newId("cid");
    private final String maths = Api.newId("maths");
    private final String music = Api.newId("music");
    private final String[] asAnn = TestIssuer.student(ann);

    OwnDataTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    @BeforeEach
    void bobIsEnrolledAndWaits() {
        define(maths, 10);
        define(music, 1);
        register(ann);
        register(bob);
        String first = Api.newId("first");
        register(first);
        put("/api/courses/%s/students/%s".formatted(music, first), OFFICE).expect(201);
        put("/api/courses/%s/students/%s".formatted(maths, bob), OFFICE).expect(201);
        put("/api/courses/%s/waiting-list/%s".formatted(music, bob), OFFICE).expect(201);
    }

    private void define(String course, int capacity) {
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"A course\", \"capacity\": %s}".formatted(course, capacity),
                        OFFICE)
                .expect(201);
    }

    private void register(String student) {
        api.post("/api/students", registration(student), OFFICE).expect(201);
    }

    private static String registration(String student) {
        return "{\"id\": \"%1$s\", \"name\": \"A student\", \"email\": \"%1$s@example.org\"}".formatted(student);
    }

    private Answer put(String path, String[] headers) {
        return api.send("PUT", path, "", headers);
    }

    @Test
    void a_student_enrolls_looks_up_and_drops_for_themselves() {
        put("/api/courses/%s/students/%s".formatted(maths, ann), asAnn).expect(201);

        assertThat(get("/api/students/" + ann).expect(200).json().path("id").asString())
                .isEqualTo(ann);
        get("/api/courses/%s/students/%s".formatted(maths, ann)).expect(200);
        assertThat(get("/api/students/%s/courses".formatted(ann))
                        .expect(200)
                        .json()
                        .at("/enrollments/0/courseId")
                        .asString())
                .isEqualTo(maths);
        api.delete("/api/courses/%s/students/%s".formatted(maths, ann), asAnn).expect(204);
    }

    @Test
    void a_student_waits_for_themselves() {
        String place = "/api/courses/%s/waiting-list/%s".formatted(music, ann);
        put(place, asAnn).expect(201);

        get(place).expect(200);
        get("/api/students/%s/waiting-lists".formatted(ann)).expect(200);
        api.delete(place, asAnn).expect(204);
    }

    @Test
    void a_student_without_a_registration_is_unknown_to_themselves_too() {
        api.get("/api/students/" + cid, TestIssuer.student(cid)).expectProblem(404, "student-unknown");
        put("/api/courses/%s/students/%s".formatted(maths, cid), TestIssuer.student(cid))
                .expectProblem(404, "student-unknown");
    }

    @Test
    void a_student_sees_neither_the_reason_nor_the_actor_of_an_override_and_gives_none() {
        String own = "/api/courses/%s/students/%s".formatted(music, ann);
        String reason = "{\"reason\": \"Retakes the course\"}";
        api.put(own + "/override", reason, asAnn).expectProblem(403, "forbidden");
        api.post("/api/commands", """
                        {"type": "EnrollByOverride",
                         "data": {"studentId": "%s", "courseId": "%s", "reason": "Wants it"}}""".formatted(ann, music), asAnn).expectProblem(403, "forbidden");
        api.put(own + "/override", reason, OFFICE).expect(201);

        assertThat(get(own).expect(200).text()).doesNotContain("Retakes", "office", "override");
        assertThat(get("/api/students/%s/courses".formatted(ann)).expect(200).text())
                .contains(music)
                .doesNotContain("Retakes", "office", "override");
        get("/api/courses/%s/students".formatted(music)).expectProblem(403, "forbidden");
        JsonNode override = api.get("/api/courses/%s/students".formatted(music), OFFICE)
                .expect(200)
                .json()
                .at("/enrollments/1/override");
        assertThat(override.path("reason").asString()).isEqualTo("Retakes the course");
        assertThat(override.at("/actor/subject").asString()).isEqualTo("office");
        assertThat(override.at("/actor/onBehalfOf").asString()).isEqualTo(ann);
    }

    @Test
    void another_student_is_unknown_to_a_student() {
        long before = store.head().position().value();
        for (String request : List.of(
                "GET /api/students/{student} student-unknown",
                "HEAD /api/students/{student}",
                "GET /api/students/{student}?consistency=strong student-unknown",
                "GET /api/students/{student}/courses student-unknown",
                "GET /api/students/{student}/courses?consistency=strong student-unknown",
                "GET /api/students/{student}/waiting-lists student-unknown",
                "GET /api/courses/{maths}/students/{student} not-enrolled",
                "GET /api/courses/{maths}/students/{student}?consistency=strong not-enrolled",
                "GET /api/courses/{music}/waiting-list/{student} not-waiting",
                "PUT /api/courses/{maths}/students/{student} student-unknown",
                "PUT /api/courses/{music}/students/{student} student-unknown",
                "DELETE /api/courses/{maths}/students/{student} student-unknown",
                "PUT /api/courses/{music}/waiting-list/{student} student-unknown",
                "DELETE /api/courses/{music}/waiting-list/{student} student-unknown",
                "PUT /api/courses/unknown/students/{student} student-unknown")) {
            String[] parts = request.split(" ", -1);
            for (String[] headers : new String[][] {
                {},
                {"Registrar-After", "999999999999"},
                {"Registrar-After", "0"},
                {"If-None-Match", "*"},
                {"If-Match", "\"1-0\""},
                {"Idempotency-Key", Api.newId("key")},
                {"Prefer", "return=representation"}
            }) {
                Answer other = ask(parts[0], parts[1], bob, headers);
                Answer unknown = ask(parts[0], parts[1], cid, headers);

                assertThat(described(other, bob)).as(request).isEqualTo(described(unknown, cid));
                if (parts.length == 3) {
                    other.expectProblem(404, parts[2]);
                } else {
                    other.expect(404);
                }
            }
        }
        assertThat(store.head().position().value()).isEqualTo(before);
    }

    private Answer ask(String method, String path, String student, String... headers) {
        String asked =
                path.replace("{student}", student).replace("{maths}", maths).replace("{music}", music);
        return api.send(method, asked, "", with(asAnn, headers));
    }

    private static String[] with(String[] authorization, String... headers) {
        List<String> all = new ArrayList<>(Arrays.asList(authorization));
        all.addAll(Arrays.asList(headers));
        return all.toArray(String[]::new);
    }

    /* Everything that a caller sees, with the same name for both students. */
    private static Map<String, Object> described(Answer answer, String student) {
        Map<String, Object> seen = new TreeMap<>();
        answer.headers().map().forEach((name, values) -> {
            if (!CHANGING.contains(name)) {
                seen.put(name, values.toString().replace(student, "student"));
            }
        });
        seen.put(":status", answer.status());
        seen.put(":body", answer.text().replace(student, "student"));
        return seen;
    }

    @Test
    void the_key_of_one_student_is_another_key_for_another() {
        String key = Api.newId("key");
        String[] asBob = TestIssuer.student(bob);
        api.delete("/api/courses/%s/students/%s".formatted(maths, bob), with(asBob, "Idempotency-Key", key))
                .expect(204);

        api.delete("/api/courses/%s/students/%s".formatted(maths, bob), with(asAnn, "Idempotency-Key", key))
                .expectProblem(404, "student-unknown");
        Answer first = api.send(
                        "PUT",
                        "/api/courses/%s/students/%s".formatted(maths, ann),
                        "",
                        with(asAnn, "Idempotency-Key", key))
                .expect(201);
        Answer repeated = api.send(
                        "PUT",
                        "/api/courses/%s/students/%s".formatted(maths, ann),
                        "",
                        with(asAnn, "Idempotency-Key", key))
                .expect(201);
        api.delete("/api/courses/%s/students/%s".formatted(maths, ann), with(asAnn, "Idempotency-Key", key))
                .expectProblem(422, "idempotency-key-reused");
        assertThat(repeated.position()).isEqualTo(first.position());
    }

    @Test
    void a_reused_key_is_named_as_the_caller_sent_it() {
        String key = Api.newId("key");
        String course = "{\"title\": \"Latin\", \"capacity\": 2}";
        api.post("/api/courses", course, with(OFFICE, "Idempotency-Key", key)).expect(201);

        Answer reused =
                api.post("/api/courses", course.replace("Latin", "Greek"), with(OFFICE, "Idempotency-Key", key));

        assertThat(reused.expectProblem(422, "idempotency-key-reused")
                        .json()
                        .path("detail")
                        .asString())
                .contains("'%s'".formatted(key))
                .doesNotContain("caller ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/students", "/api/commands"})
    void a_student_learns_nothing_from_an_email_address(String path) {
        String free = Api.newId("free");
        String taken = registration(free).replace(free + "@", bob + "@");
        boolean command = path.equals("/api/commands");

        Answer ofTaken = api.post(path, command ? registers(taken) : taken, asAnn);
        Answer ofFree = api.post(path, command ? registers(registration(free)) : registration(free), asAnn);

        ofTaken.expectProblem(403, "forbidden");
        assertThat(described(ofTaken, free)).isEqualTo(described(ofFree, free));
    }

    private static String registers(String student) {
        return "{\"type\": \"RegisterStudent\", \"data\": %s}".formatted(student);
    }

    @Test
    void the_course_office_learns_that_an_email_address_is_taken_but_not_by_whom() {
        String other = Api.newId("other");
        String taken = registration(other).replace(other + "@", bob.toUpperCase(Locale.ROOT) + "@");

        String problem = api.post("/api/students", taken, OFFICE)
                .expectProblem(409, "email-taken")
                .text();

        assertThat(problem).doesNotContain(bob);
    }

    /* AccessTableTest compares the table with the service: it has each operation, and its status for another student. */
    @Test
    void no_operation_that_names_a_student_answers_another_student() throws IOException {
        List<String[]> rows = new ClassPathResource("dev/registrar/security/access-table.txt")
                .getContentAsString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("{studentId}"))
                .map(line -> line.split("\\s*\\|\\s*", -1))
                .toList();

        assertThat(rows)
                .hasSizeGreaterThan(9)
                .allSatisfy(cells -> assertThat(cells[5]).isIn("403", "404"));
    }

    private Answer get(String path) {
        return api.get(path, asAnn);
    }
}
