package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.enrollment.CourseFacts;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WaitingListFacts;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcollections.OrderedPSet;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every view skips or shows events that no decision would produce, all views alike, and an operator can skip an event.
 */
@ServiceTest
class HostileEventsTest extends HostileInputFixture {
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final JsonMapper json;

    @Autowired
    HostileEventsTest(@LocalServerPort int port, EventStore store, EnrollmentEventCodec codec, JsonMapper json) {
        super(port);
        this.store = store;
        this.codec = codec;
        this.json = json;
    }

    static Stream<String> unreadable() {
        return Stream.of(
                "{}",
                "\"null\"",
                "\"\\\"text\\\"\"",
                "\"not json\"",
                "\"{\\\"courseId\\\": \\\"ID\\\"\"",
                "\"%s\"".formatted("[".repeat(50_000)),
                "\"\\n\\ndata: {}\\u2028\\r\\n\\ufeff{}\"",
                "{\"courseId\": {}, \"studentId\": []}",
                "{\"courseId\": \"ID\", \"studentId\": \"ID\", \"@version\": 2}",
                "{\"courseId\": \"a b\", \"studentId\": \"\\u0000\", \"title\": \"T\", \"capacity\": 1, \"name\": \"N\", \"email\": \"E\"}",
                "{\"courseId\": \"other\", \"studentId\": \"other\", \"title\": \"T\", \"capacity\": 1, \"name\": \"N\", \"email\": \"E\"}",
                "{\"courseId\": \"ID\", \"studentId\": \"ID\", \"title\": 1, \"capacity\": 1e400, \"name\": {}, \"email\": \"E\", \"x\": %s1%s}"
                        .formatted("[".repeat(300), "]".repeat(300)),
                "{\"courseId\": \"ID\", \"studentId\": \"x-ID\", \"title\": \"%s\", \"capacity\": 99999999999, \"name\": \"\\ud800\", \"email\": \"E\"}"
                        .formatted("t".repeat(201)),
                "{\"courseId\": \"ID\", \"studentId\": \"y-ID\", \"title\": \"T\", \"capacity\": 1, \"opensAt\": 1e300, \"name\": \"%s\", \"email\": \"E\"}"
                        .formatted("n".repeat(201)));
    }

    /* The tags name an existing course and student, so that every decision about them reads each event. */
    @Test
    void unreadable_events_are_skipped_by_views_automations_and_decisions() {
        long before = skipped("courses") + skipped("students") + skipped("enrollments");
        Map<String, String> students = new LinkedHashMap<>();
        long last = 0;
        for (String data : unreadable().toList()) {
            String course = api.course(1);
            String student = api.student();
            students.put(course, student);
            last = appendUnreadable(data.replace("ID", course), course, student);
        }
        awaitAll(last);

        assertThat(skipped("courses") + skipped("students") + skipped("enrollments"))
                .isGreaterThan(before);
        String after = Long.toString(last);
        students.forEach((course, student) -> {
            for (String consistency : List.of("view", "strong")) {
                Answer seen = api.get(
                                "/api/courses/%s?consistency=%s".formatted(course, consistency),
                                "Registrar-After",
                                after)
                        .expect(200);
                assertThat(seen.json().path("enrolled").asInt()).isZero();
                assertThat(seen.json().path("closed").asBoolean()).isFalse();
                api.get("/api/students/%s?consistency=%s".formatted(student, consistency), "Registrar-After", after)
                        .expect(200);
            }
            api.enroll(student, course).expect(201);
        });
        students.keySet()
                .forEach(course -> assertThat(api.get("/api/courses/" + course)
                                .expect(200)
                                .json()
                                .path("full")
                                .asBoolean())
                        .isTrue());
    }

    private long appendUnreadable(String data, String course, String student) {
        return append(Stream.of(
                        "CourseDefined",
                        "CourseTitleChanged",
                        "CourseCapacityChanged",
                        "EnrollmentWindowChanged",
                        "CoursePrerequisitesChanged",
                        "CourseTimesChanged",
                        "CourseClosed",
                        "StudentRegistered",
                        "StudentNameChanged",
                        "StudentEmailChanged",
                        "StudentTierChanged",
                        "StudentEnrolledInCourse",
                        "StudentEnrolledByOverride",
                        "StudentDroppedCourse",
                        "StudentJoinedWaitingList",
                        "StudentLeftWaitingList")
                .filter(type -> !(type.equals("CourseClosed") && data.contains("\"" + course + "\"")))
                .filter(type -> !(type.equals("CourseCapacityChanged") && data.contains("\"capacity\": 1,")))
                .map(type -> event(type, data, "course:" + course, "student:" + student))
                .toArray(String[]::new));
    }

    /* Other clients of the store may append events that no decision produces. */
    @Test
    void views_survive_events_in_any_order_and_agree_with_the_store() {
        agree(11);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {12, 13, 14})
    void views_survive_events_in_other_orders_and_agree_with_the_store(long seed) {
        agree(seed);
    }

    private void agree(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> courses = List.of(Api.newId("any"), Api.newId("any"), Api.newId("any"));
        List<String> students = List.of(Api.newId("any"), Api.newId("any"), Api.newId("any"));
        long before = store.head().position().value();
        for (int append = 0; append < 12; append++) {
            append(Stream.generate(() -> anyEvent(random, courses, students))
                    .limit(random.nextInt(1, 20))
                    .toArray(String[]::new));
        }

        long last = awaitQuiet();
        FoldedEvents folded = FoldedEvents.after(Position.of(before), store, codec);
        String after = Long.toString(last);
        for (String path : paths(courses, students)) {
            Answer view = api.get(path, "Registrar-After", after);
            JsonNode expected = folded.at(path, json);
            assertThat(view.status()).as(path).isEqualTo(expected.isEmpty() ? 404 : 200);
            if (!expected.isEmpty()) {
                assertThat(view.json()).as("%s of seed %s", path, seed).isEqualTo(expected);
            }
        }
        for (String course : courses) {
            assertThat(listed(course, "students", "enrollments", "/studentId"))
                    .as("roster of seed %s", seed)
                    .isEqualTo(folded.roster(course));
            assertThat(listed(course, "students", "enrollments", "/override/reason"))
                    .as("overrides of seed %s", seed)
                    .isEqualTo(folded.reasons(course));
            assertThat(listed(course, "waiting-list", "waiting", "/studentId"))
                    .as("line of seed %s", seed)
                    .isEqualTo(folded.line(course));
            assertFactsAgree(course, folded);
        }
    }

    /* The automation may append events, too. */
    private long awaitQuiet() {
        long last;
        do {
            last = store.head().position().value();
            awaitAll(last);
        } while (store.head().position().value() > last);
        return last;
    }

    private List<String> listed(String course, String path, String list, String field) {
        List<String> values = new ArrayList<>();
        api.get("/api/courses/%s/%s".formatted(course, path))
                .json()
                .path(list)
                .forEach(entry -> values.add(entry.at(field).asString("")));
        return values;
    }

    /* What decisions see is what the views show. */
    private void assertFactsAgree(String id, FoldedEvents folded) {
        CourseId course = new CourseId(id);
        Projection<CourseFacts.State> facts = CourseFacts.of(course).decodedBy(codec);
        Projection<OrderedPSet<StudentId>> line = WaitingListFacts.of(course).decodedBy(codec);
        Projected decided = store.project(facts, line);
        CourseFacts.State state = decided.state(facts);

        assertThat(state.students()).containsExactlyInAnyOrderElementsOf(folded.roster(id));
        assertThat(decided.state(line).stream().map(StudentId::value)).containsExactlyElementsOf(folded.line(id));
        JsonNode shown = folded.at("/api/courses/" + id, json);
        assertThat(state.defined()).isEqualTo(!shown.isEmpty());
        if (state.defined()) {
            assertThat(state.seats()).isEqualTo(shown.path("capacity").asInt());
            assertThat(state.enrolled()).isEqualTo(shown.path("enrolled").asInt());
            assertThat(state.waiting()).isEqualTo(shown.path("waiting").asInt());
            assertThat(state.closed()).isEqualTo(shown.path("closed").asBoolean());
        }
    }

    private static List<String> paths(List<String> courses, List<String> students) {
        return Stream.concat(
                        courses.stream()
                                .flatMap(course -> Stream.concat(
                                        Stream.of("/api/courses/" + course),
                                        students.stream()
                                                .map(student ->
                                                        "/api/courses/%s/students/%s".formatted(course, student)))),
                        students.stream().map(student -> "/api/students/" + student))
                .toList();
    }

    private static String anyEvent(SplittableRandom random, List<String> courses, List<String> students) {
        String course = courses.get(random.nextInt(courses.size()));
        String student = students.get(random.nextInt(students.size()));
        String pair = "{\"courseId\": \"%s\", \"studentId\": \"%s\"}".formatted(course, student);
        String ofCourse = "course:" + course;
        String ofStudent = "student:" + student;
        return switch (random.nextInt(22)) {
            case 0 ->
                event(
                        "CourseDefined",
                        "{\"courseId\": \"%s\", \"title\": \"a\\u0000\\n%s\", \"capacity\": %s, \"opensAt\": \"+10000-01-01T00:00:00Z\", \"closesAt\": \"-0001-01-01T00:00:00.999999999Z\", \"prerequisites\": %s}"
                                .formatted(
                                        course,
                                        random.nextInt(9),
                                        random.nextInt(1, 9),
                                        List.of("null", "[]", "[\"%s\"]".formatted(course), "[null]")
                                                .get(random.nextInt(4))),
                        ofCourse);
            case 1 ->
                event(
                        "CourseCapacityChanged",
                        "{\"courseId\": \"%s\", \"capacity\": %s}".formatted(course, random.nextInt(1, 9)),
                        ofCourse);
            case 2 -> event("CourseClosed", pair, ofCourse);
            case 3 ->
                event(
                        "StudentRegistered",
                        "{\"studentId\": \"%s\", \"name\": \"\\u0000%s\", \"email\": \"a\\u0000b@x.org\"}"
                                .formatted(student, random.nextInt(9)),
                        ofStudent,
                        "email:any");
            case 4, 5 -> event("StudentEnrolledInCourse", pair, ofCourse, ofStudent);
            case 6 -> event("StudentDroppedCourse", pair, ofCourse, ofStudent);
            case 7, 8 -> event("StudentJoinedWaitingList", pair, ofCourse, ofStudent);
            case 9 -> event("StudentLeftWaitingList", pair, ofCourse, ofStudent);
            case 10 -> event("StudentEnrolledInCourse", pair, ofCourse);
            case 11, 12 ->
                event(
                        "StudentTierChanged",
                        "{\"studentId\": \"%s\", \"tier\": \"%s\"}"
                                .formatted(
                                        student,
                                        List.of("basic", "master", "gold").get(random.nextInt(3))),
                        ofStudent);
            case 13 ->
                event(
                        "CoursePrerequisitesChanged",
                        "{\"courseId\": \"%s\", \"prerequisites\": [\"%s\", \"unknown\"]}"
                                .formatted(course, courses.getFirst()),
                        ofCourse);
            case 14 ->
                event(
                        "CourseTitleChanged",
                        "{\"courseId\": \"%s\", \"title\": \"b\\u0000%s\"}".formatted(course, random.nextInt(9)),
                        ofCourse);
            case 15 ->
                event(
                        "EnrollmentWindowChanged",
                        "{\"courseId\": \"%s\", \"opensAt\": %s, \"closesAt\": \"+10000-01-01T00:00:00Z\"}"
                                .formatted(course, random.nextBoolean() ? null : "\"-0001-01-01T00:00:00.999999999Z\""),
                        ofCourse);
            case 16 ->
                event(
                        "StudentNameChanged",
                        "{\"studentId\": \"%s\", \"name\": \"\\u0000\\n%s\"}".formatted(student, random.nextInt(9)),
                        ofStudent);
            case 17 ->
                event(
                        "StudentEmailChanged",
                        "{\"studentId\": \"%s\", \"email\": \"\\u0000%s\", \"formerEmail\": \"b\"}"
                                .formatted(student, random.nextInt(9)),
                        ofStudent,
                        "email:any");
            case 18 ->
                event(
                        "CourseTimesChanged",
                        "{\"courseId\": \"%s\", \"times\": %s}"
                                .formatted(
                                        course,
                                        List.of(
                                                        "[]",
                                                        "[{\"day\": \"SUNDAY\", \"from\": \"00:00:59.9\", \"to\": \"23:59\"}]",
                                                        "[{\"day\": \"MONDAY\", \"from\": \"10:00\", \"to\": \"25:00\"}]")
                                                .get(random.nextInt(3))),
                        ofCourse);
            case 19, 20 ->
                event(
                        "StudentEnrolledByOverride",
                        "{\"courseId\": \"%s\", \"studentId\": \"%s\", \"reason\": \"\\u0000\\n%s\"}"
                                .formatted(course, student, random.nextInt(9)),
                        ofCourse,
                        ofStudent);
            default -> event("StudentEnrolledInCourse", pair, "course:" + courses.getFirst(), ofCourse, ofStudent);
        };
    }

    @Test
    void an_operator_skips_the_event_at_which_a_view_has_stopped(@Autowired DataSource database) {
        JdbcClient jdbc = JdbcClient.create(database);
        String id = Api.newId("unwanted");
        jdbc.sql("alter table registrar_students.students add constraint unwanted check (id <> '%s')".formatted(id))
                .update();
        try {
            long poison = api.post(
                            "/api/students",
                            "{\"id\": \"%s\", \"name\": \"N\", \"email\": \"%s@example.org\"}".formatted(id, id))
                    .expect(201)
                    .position();
            String next = api.student();
            await().until(() -> stateOf("students").equals("stopped"));

            skip("students", Long.toString(poison + 1_000)).expectProblem(409, "not-skippable");
            Answer skipped = skip("students", Long.toString(poison)).expect(200);

            assertThat(skipped.json().at("/skips/0/position").asLong()).isEqualTo(poison);
            assertThat(skipped.json().at("/skips/0/by").asString()).isEqualTo("operator");
            assertThat(skipped.json().at("/skips/0/reason").asString()).contains("unwanted");
            api.get("/api/students/" + next).expect(200);
            api.get("/api/students/" + id).expectProblem(404, "student-unknown");
            skip("students", Long.toString(poison)).expectProblem(409, "not-skippable");
        } finally {
            jdbc.sql("alter table registrar_students.students drop constraint unwanted")
                    .update();
        }
    }

    private String stateOf(String projection) {
        return api.get("/api/admin/projections/" + projection)
                .json()
                .path("state")
                .asString();
    }

    private Answer skip(String projection, String position) {
        return api.post(
                "/api/admin/projections/%s/skip".formatted(projection), "{\"position\": %s}".formatted(position));
    }
}
