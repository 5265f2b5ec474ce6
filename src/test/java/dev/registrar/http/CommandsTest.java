package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.decision.CommandRegistry;
import dev.registrar.decision.Decision;
import dev.registrar.enrollment.EndWaitingList;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EraseStudent;
import dev.registrar.enrollment.PromoteFromWaitingList;
import dev.registrar.enrollment.Refusal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/**
 * The endpoint for commands of every type, with the outcomes of their own endpoints, and the list of recorded commands.
 */
@ServiceTest
class CommandsTest {
    private static final String COMMANDS = "/api/commands";
    private static final String KEY = "Idempotency-Key";
    private static final String CORRELATION = "X-Correlation-Id";

    private final Api api;
    private final CommandRegistry<EnrollmentEvent, Refusal> registry;

    CommandsTest(@LocalServerPort int port, @Autowired CommandRegistry<EnrollmentEvent, Refusal> registry) {
        this.api = new Api(port);
        this.registry = registry;
    }

    @Test
    void every_command_has_the_effect_of_its_own_endpoint() {
        String course = Api.newId("course");
        String student = Api.newId("student");

        send("DefineCourse", "{'id': '%s', 'title': 'Latin', 'capacity': 1}".formatted(course))
                .expect(200);
        send("ChangeTitle", "{'courseId': '%s', 'title': 'Latin II'}".formatted(course))
                .expect(200);
        send("ChangeCapacity", "{'courseId': '%s', 'capacity': 2}".formatted(course))
                .expect(200);
        send("ChangeWindow", "{'courseId': '%s', 'closesAt': '9999-01-01T00:00:00Z'}".formatted(course))
                .expect(200);
        String required = api.course(5);
        send("ChangePrerequisites", "{'courseId': '%s', 'prerequisites': ['%s']}".formatted(course, required))
                .expect(200);
        send("RegisterStudent", "{'id': '%s', 'name': 'Ann', 'email': '%s@example.org'}".formatted(student, student))
                .expect(200);
        api.get("/api/students/" + student).expect(200);
        send("ChangeName", "{'studentId': '%s', 'name': 'Ann Arbor'}".formatted(student))
                .expect(200);
        Answer moved = send("ChangeEmail", "{'studentId': '%1$s', 'email': '%1$s@example.com'}".formatted(student))
                .expect(200);
        assertThat(moved.json().at("/events/0/data/formerEmail").asString()).isEqualTo(student + "@example.org");
        send("ChangeTier", "{'studentId': '%s', 'tier': 'standard'}".formatted(student))
                .expect(200);
        send("EnrollStudent", pair(student, required)).expect(200);
        Answer enrolled = send("EnrollStudent", pair(student, course)).expect(200);
        assertThat(enrolled.json().path("type").asString()).isEqualTo("EnrollStudent");
        assertThat(enrolled.json().path("position").asLong()).isEqualTo(enrolled.position());
        assertThat(enrolled.json().at("/events/0/type").asString()).isEqualTo("StudentEnrolledInCourse");
        assertThat(enrolled.json().at("/events/0/data/studentId").asString()).isEqualTo(student);
        api.get("/api/courses/%s/students/%s".formatted(course, student)).expect(200);

        String swapped = api.course(1);
        Answer swap = send(
                        "SwapCourse",
                        "{'studentId': '%s', 'courseId': '%s', 'insteadOf': '%s'}".formatted(student, swapped, course))
                .expect(200);
        assertThat(swap.json().at("/events/0/type").asString()).isEqualTo("StudentDroppedCourse");
        assertThat(swap.json().at("/events/1/type").asString()).isEqualTo("StudentEnrolledInCourse");
        send(
                        "SwapCourse",
                        "{'studentId': '%s', 'courseId': '%s', 'insteadOf': '%s'}".formatted(student, course, swapped))
                .expect(200);

        String other = api.student();
        api.enroll(other, required).expect(201);
        api.enroll(other, course).expect(201);
        String waiting = api.student();
        api.enroll(waiting, required).expect(201);
        send("JoinWaitingList", pair(waiting, course)).expect(200);
        send("LeaveWaitingList", pair(waiting, course)).expect(200);
        String admitted = "{'studentId': '%s', 'courseId': '%s', 'reason': 'Retakes it'}".formatted(waiting, course);
        assertThat(send("EnrollByOverride", admitted)
                        .expect(200)
                        .json()
                        .at("/events/0/data/reason")
                        .asString())
                .isEqualTo("Retakes it");
        send("EnrollByOverride", admitted).expectProblem(409, "already-enrolled");
        send("DropStudent", pair(student, course)).expect(200);
        send(
                        "ChangeTimes",
                        "{'courseId': '%s', 'times': [{'day': 'MONDAY', 'from': '10:00', 'to': '11:30'}]}"
                                .formatted(course))
                .expect(200);
        send("CloseCourse", "{'courseId': '%s'}".formatted(course)).expect(200);

        JsonNode found = api.get("/api/courses/" + course).expect(200).json();
        assertThat(found.path("title").asString()).isEqualTo("Latin II");
        assertThat(found.path("capacity").asInt()).isEqualTo(2);
        assertThat(found.path("closesAt").asString()).isEqualTo("9999-01-01T00:00:00Z");
        assertThat(found.path("closed").asBoolean()).isTrue();
        assertThat(registry.types())
                .containsExactly(
                        "DefineCourse",
                        "ChangeTitle",
                        "ChangeCapacity",
                        "ChangeWindow",
                        "ChangePrerequisites",
                        "ChangeTimes",
                        "CloseCourse",
                        "RegisterStudent",
                        "ChangeName",
                        "ChangeEmail",
                        "ChangeTier",
                        "EnrollStudent",
                        "SwapCourse",
                        "EnrollByOverride",
                        "DropStudent",
                        "JoinWaitingList",
                        "LeaveWaitingList");
    }

    @Test
    void a_refused_command_gets_the_answer_of_its_own_endpoint() {
        String course = api.course(1);
        String student = api.student();
        api.enroll(api.student(), course).expect(201);

        Answer refused = send("EnrollStudent", pair(student, course)).expectProblem(409, "course-full");
        assertThat(refused.json().path("detail").asString())
                .isEqualTo(api.enroll(student, course).json().path("detail").asString());
        send("CloseCourse", "{'courseId': 'nowhere'}").expectProblem(404, "course-unknown");
    }

    @Test
    void a_command_under_a_key_is_executed_once() {
        String key = Api.newId("key");
        String body = body("DefineCourse", "{'title': 'Latin', 'capacity': 1}");
        Answer first = api.post(COMMANDS, body, KEY, key).expect(200);

        Answer repeated = api.post(COMMANDS, body, KEY, key).expect(200);

        assertThat(repeated.json()).isEqualTo(first.json());
        assertThat(repeated.position()).isEqualTo(first.position());
        api.post(COMMANDS, body("DefineCourse", "{'title': 'Greek', 'capacity': 1}"), KEY, key)
                .expectProblem(422, "idempotency-key-reused");
        api.post(COMMANDS, body, KEY, "two words").expectProblem(400, "idempotency-key-malformed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type': 'ChangePrerequisites', 'data': {'courseId': 'a', 'prerequisites': ['b', 'c d']}}|422|invalid-value|/data/prerequisites/1",
                "{'type': 'ChangeTier', 'data': {'studentId': 'a', 'tier': 'gold'}}|422|invalid-value|/data/tier",
                "{'type': 'ChangeTitle', 'data': {'courseId': 'a', 'title': ' '}}|422|invalid-value|/data/title",
                "{'type': 'ChangeName', 'data': {'studentId': 'a'}}|422|invalid-value|/data/name",
                "{'type': 'ChangeEmail', 'data': {'studentId': 'a', 'email': 'b'}}|422|invalid-value|/data/email",
                "{'type': 'ChangeWindow', 'data': {'courseId': 'a', 'opensAt': '2030-01-01T00:00:00Z', 'closesAt': '2029-01-01T00:00:00Z'}}|422|invalid-value|/data/closesAt",
                "{'type': 'CloseCourse', 'data': null}|422|invalid-value|/data",
                "{'type': 'CloseCourse', 'data': {'courseId': 'a b'}}|422|invalid-value|/data/courseId",
                "{'type': 'CloseCourse', 'data': {'courseId': 'a', 'else': 1}}|400|unknown-field|/data/else",
                "{'type': 'CloseCourse', 'data': {'courseId': 'a', 'courseId': 'a'}}|400|duplicate-field|/data/courseId",
                "{'type': 'CloseCourse', 'data': {'courseId': 'a'}, 'else': 1}|400|unknown-field|/else",
                "{'type': 'CloseCourse', 'type': 'CloseCourse', 'data': {}}|400|duplicate-field|/type",
                "{'data': {'courseId': 'a'}}|422|invalid-value|/type",
                "{'type': 'PromoteFromWaitingList', 'data': {'courseId': 'a'}}|422|invalid-value|/type",
                "{'type': 'ChangeCapacity', 'data': {'courseId': 'a', 'capacity': 0}}|422|invalid-value|/data/capacity",
                "{'type': 'ChangeCapacity', 'data': {'courseId': 'a', 'capacity': 1.0000000000000000000001}}|422|invalid-value|/data/capacity",
                "[]|422|invalid-value|''",
                "{'type': 'CloseCourse', 'data': {|400|malformed-json|''"
            })
    void an_invalid_command_is_refused_with_the_place_of_the_error(
            String body, int status, String code, String pointer) {
        Answer refused = api.post(COMMANDS, body.replace('\'', '"')).expectProblem(status, code);

        assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    }

    @Test
    void the_refusal_of_an_unknown_type_lists_the_known_types() {
        Answer refused = send("x".repeat(10_000), "{}").expectProblem(422, "invalid-value");

        assertThat(refused.json().at("/errors/0/detail").asString())
                .contains("Unknown command 'xxx", "DefineCourse, ChangeTitle")
                .hasSizeLessThan(400);
    }

    /* A new command of the domain must be registered, or listed here as not available to clients. */
    @Test
    void every_command_of_the_domain_is_registered() {
        Set<String> decisions = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackagesOf(PromoteFromWaitingList.class)
                        .stream()
                        .filter(type -> type.isAssignableTo(Decision.class) && !type.isInterface())
                        .map(type -> type.getSimpleName())
                        .collect(Collectors.toSet());
        // The service's own, and one that is half of an erasure.
        decisions.removeAll(Set.of(
                PromoteFromWaitingList.class.getSimpleName(),
                EndWaitingList.class.getSimpleName(),
                EraseStudent.class.getSimpleName()));

        assertThat(registry.types()).containsExactlyInAnyOrderElementsOf(decisions);
    }

    @Test
    void the_commands_of_a_correlation_are_listed_with_their_consequences() {
        String correlation = "semester/1:" + Api.newId("c");
        String course = api.course(1);
        String seated = api.student();
        String waiting = api.student();
        api.enroll(seated, course).expect(201);
        long joined = api.put("/api/courses/%s/waiting-list/%s".formatted(course, waiting))
                .expect(201)
                .position();
        // Before that, the automation could assign the freed seat in its reaction to the join.
        await().until(() -> api.get("/api/admin/projections/waiting-list")
                        .json()
                        .path("position")
                        .asLong()
                >= joined);
        long dropped = api.delete("/api/courses/%s/students/%s".formatted(course, seated), CORRELATION, correlation)
                .expect(204)
                .position();

        List<JsonNode> commands = commands(correlation, 2);

        assertThat(commands.get(0).path("type").asString()).isEqualTo("DropStudent");
        assertThat(commands.get(0).path("events").asInt()).isOne();
        assertThat(commands.get(0).path("firstPosition").asLong()).isEqualTo(dropped);
        assertThat(commands.get(0).has("causationId")).isFalse();
        assertThat(commands.get(1).path("type").asString()).isEqualTo("PromoteFromWaitingList");
        assertThat(commands.get(1).path("events").asInt()).isEqualTo(2);
        assertThat(commands.get(1).path("lastPosition").asLong())
                .isEqualTo(commands.get(1).path("firstPosition").asLong() + 1);
        assertThat(commands.get(1).path("causationId").asString())
                .isEqualTo(api.get("/dcb/events/" + dropped).json().path("id").asString());
    }

    @Test
    void an_event_of_a_client_that_names_a_command_is_not_listed() {
        String correlation = Api.newId("c");
        api.post("/dcb/append", """
                        {"events": {"type": "Forged", "data": {}, "metadata": {
                            "commandId": "01234567-89ab-cdef-0123-456789abcdef", "commandType": "DropStudent",
                            "correlationId": "%s"}}}""".formatted(correlation)).expect(200);
        String course = Api.newId("course");
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 1}".formatted(course),
                        CORRELATION,
                        correlation)
                .expect(201);

        assertThat(commands(correlation, 1))
                .extracting(command -> command.path("type").asString())
                .containsExactly("DefineCourse");
    }

    @Test
    void the_commands_of_a_correlation_are_paged() {
        String correlation = Api.newId("c");
        String course = api.course(1);
        for (int seats = 2; seats <= 6; seats++) {
            api.put(
                            "/api/courses/%s/capacity".formatted(course),
                            "{\"capacity\": %s}".formatted(seats),
                            CORRELATION,
                            correlation)
                    .expect(200);
        }

        List<Long> positions = new ArrayList<>();
        String page = "%s?correlationId=%s&limit=2".formatted(COMMANDS, correlation);
        for (int pages = 1; !page.isEmpty(); pages++) {
            assertThat(pages).isLessThanOrEqualTo(3);
            Answer answer = api.get(page).expect(200);
            answer.json()
                    .path("commands")
                    .forEach(each -> positions.add(each.path("firstPosition").asLong()));
            String link = answer.header("Link");
            page = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }

        assertThat(positions).hasSize(5).isSorted().doesNotHaveDuplicates();
        assertThat(api.get("%s?correlationId=unused".formatted(COMMANDS))
                        .expect(200)
                        .json()
                        .path("commands"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?correlationId=two%20words",
                "?correlationId=%00",
                "?correlationId=a&correlationId=b",
                "?correlationId=a&limit=0",
                "?correlationId=a&after=1"
            })
    void a_look_up_with_a_bad_parameter_is_refused(String query) {
        api.get(COMMANDS + query).expectProblem(422, "invalid-value");
    }

    /* The automation's command follows asynchronously. */
    private List<JsonNode> commands(String correlation, int atLeast) {
        List<JsonNode> commands = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            commands.clear();
            api.get("%s?correlationId=%s".formatted(COMMANDS, URLEncoder.encode(correlation, StandardCharsets.UTF_8)))
                    .expect(200)
                    .json()
                    .path("commands")
                    .forEach(commands::add);
            return commands.size() >= atLeast;
        });
        return commands;
    }

    private Answer send(String type, String data) {
        return api.post(COMMANDS, body(type, data));
    }

    private static String body(String type, String data) {
        return "{'type': '%s', 'data': %s}".formatted(type, data).replace('\'', '"');
    }

    private static String pair(String student, String course) {
        return "{'studentId': '%s', 'courseId': '%s'}".formatted(student, course);
    }
}
