package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Hostile but well-formed input is refused with a reason, or every view and automation handles it. */
@ServiceTest
class HostileInputTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

    private final Api api;

    HostileInputTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @AfterEach
    void every_view_and_automation_still_runs() {
        List<String> states = new ArrayList<>();
        api.get("/api/admin/projections")
                .expect(200)
                .json()
                .path("projections")
                .forEach(each -> states.add(each.path("state").asString()));
        assertThat(states).hasSize(6).containsOnly("running");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\\u0000b@x.org",
                "a\\u0007b@x.org",
                "a\\u0085b@x.org",
                "a@x.org\\u0000",
                "a\\u2028b@x.org",
                "\\u200b@x.org",
                "a\\ud800b@x.org"
            })
    void an_address_with_a_control_character_or_nothing_visible_is_refused(String email) {
        api.post("/api/students", "{\"name\": \"Ann\", \"email\": \"%s\"}".formatted(email))
                .expectProblem(422, "invalid-value")
                .expectPointer("/email");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\u0000b", "a\\tb", "a\\u009fb", "\\u200b\\u3000", "\\ufeff", "\\udc00", "a\\u2029b"})
    void a_name_and_a_title_with_a_control_character_or_nothing_visible_are_refused(String text) {
        api.post("/api/students", "{\"name\": \"%s\", \"email\": \"ann@example.org\"}".formatted(text))
                .expectProblem(422, "invalid-value")
                .expectPointer("/name");
        api.post("/api/courses", "{\"title\": \"%s\", \"capacity\": 1}".formatted(text))
                .expectProblem(422, "invalid-value")
                .expectPointer("/title");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-06-01T00:00:00Z",
                "-0001-06-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z",
                "9999-12-31T23:59:59-00:01",
                "0001-01-01T00:00:00+00:01"
            })
    void an_instant_outside_the_years_1_to_9999_is_refused(String instant) {
        for (String field : List.of("opensAt", "closesAt")) {
            api.post("/api/courses", "{\"title\": \"T\", \"capacity\": 1, \"%s\": \"%s\"}".formatted(field, instant))
                    .expectProblem(422, "invalid-value")
                    .expectPointer("/" + field);
        }
    }

    @Test
    void an_instant_reads_back_in_microseconds_from_the_view_and_from_the_store() {
        String id = Api.newId("last-instant");
        String course = """
                {'id': '%s', 'title': 'T', 'capacity': 1, 'enrolled': 0, 'available': 1, 'waiting': 0, 'full': false,
                 'closed': false, 'opensAt': '0001-01-01T00:00:00Z', 'closesAt': '9999-12-31T23:59:59.999999Z'}""".formatted(id);

        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"T\", \"capacity\": 1, \"opensAt\": \"0001-01-01T00:00:00.000000999Z\", \"closesAt\": \"9999-12-31T23:59:59.999999999Z\"}"
                                .formatted(id))
                .expect(201)
                .expectJson(course);

        api.get("/api/courses/" + id).expect(200).expectJson(course);
        api.get("/api/courses/" + id + "?consistency=strong").expect(200).expectJson(course);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void accepted_text_reaches_every_view_and_reads_back_unchanged(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HostileValues values = new HostileValues(random);
        List<String> courses = new ArrayList<>();
        List<String> students = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            if (random.nextBoolean()) {
                define(values).ifPresent(courses::add);
            } else {
                register(values).ifPresent(students::add);
            }
            if (!courses.isEmpty() && !students.isEmpty()) {
                String pair = "/api/courses/%s/%%s/%s".formatted(values.oneOf(courses), values.oneOf(students));
                refusedOr(201, api.put(pair.formatted("students")));
                refusedOr(201, api.put(pair.formatted("waiting-list")));
                refusedOr(204, api.delete(pair.formatted("students")));
            }
        }

        assertThat(courses).hasSizeGreaterThan(5);
        assertThat(students).hasSizeGreaterThan(5);
        assertThat(listed("/api/courses?limit=50", "courses"))
                .containsAll(courses)
                .doesNotHaveDuplicates();
        assertThat(listed("/api/students?limit=50", "students"))
                .containsAll(students)
                .doesNotHaveDuplicates();
        awaitAll(api.get("/dcb/head").json().path("head").asLong());
    }

    private Optional<String> define(HostileValues values) {
        String id = Api.newId("hostile");
        String title = values.text();
        @Nullable String opensAt = values.oneOf(List.of(true, false)) ? values.instant() : null;
        @Nullable String closesAt = values.oneOf(List.of(true, false)) ? values.instant() : null;
        String sent = "{\"id\": \"%s\", \"title\": %s, \"capacity\": %s, \"opensAt\": %s, \"closesAt\": %s}"
                .formatted(
                        id,
                        HostileValues.json(title),
                        values.number(),
                        opensAt == null ? null : HostileValues.json(opensAt),
                        closesAt == null ? null : HostileValues.json(closesAt));

        Answer answer = api.post("/api/courses", sent);

        if (!refusedOr(201, answer)) {
            return Optional.empty();
        }
        assertThat(answer.json().path("title").asString()).as(sent).isEqualTo(title);
        assertThat(instant(answer, "opensAt")).as(sent).isEqualTo(inMicroseconds(opensAt));
        assertThat(instant(answer, "closesAt")).as(sent).isEqualTo(inMicroseconds(closesAt));
        assertThat(api.get("/api/courses/" + id).expect(200).json())
                .as(sent)
                .isEqualTo(answer.json())
                .isEqualTo(api.get("/api/courses/%s?consistency=strong".formatted(id))
                        .expect(200)
                        .json());
        return Optional.of(id);
    }

    private static @Nullable Instant inMicroseconds(@Nullable String sent) {
        return sent == null ? null : OffsetDateTime.parse(sent).toInstant().truncatedTo(ChronoUnit.MICROS);
    }

    private static @Nullable Instant instant(Answer answer, String field) {
        return answer.json().has(field)
                ? Instant.parse(answer.json().path(field).asString())
                : null;
    }

    private Optional<String> register(HostileValues values) {
        String id = Api.newId("hostile");
        String name = values.text();
        String email = values.email(id);
        String sent = "{\"id\": \"%s\", \"name\": %s, \"email\": %s}"
                .formatted(id, HostileValues.json(name), HostileValues.json(email));

        Answer answer = api.post("/api/students", sent);

        if (!refusedOr(201, answer)) {
            return Optional.empty();
        }
        assertThat(answer.json().path("name").asString()).as(sent).isEqualTo(name);
        assertThat(answer.json().path("email").asString()).as(sent).isEqualTo(email);
        assertThat(api.get("/api/students/" + id).expect(200).json())
                .as(sent)
                .isEqualTo(answer.json())
                .isEqualTo(api.get("/api/students/%s?consistency=strong".formatted(id))
                        .expect(200)
                        .json());
        return Optional.of(id);
    }

    /** Whether it was done; else it was refused clearly. */
    private static boolean refusedOr(int done, Answer answer) {
        if (answer.status() == done) {
            return true;
        }
        assertThat(answer.status()).as(answer.text()).isIn(400, 404, 409, 422);
        answer.expectProblem(answer.status(), answer.json().path("code").asString());
        if (answer.status() == 422) {
            assertThat(answer.json().at("/errors/0/detail").asString())
                    .as(answer.text())
                    .isNotBlank();
        }
        return false;
    }

    private List<String> listed(String path, String list) {
        List<String> ids = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            Answer page = api.get(next).expect(200);
            page.json().path(list).forEach(entry -> ids.add(entry.path("id").asString()));
            Matcher link = NEXT.matcher(page.header("Link"));
            next = link.find() ? link.group(1) : "";
        }
        return ids;
    }

    private void awaitAll(long position) {
        await().atMost(MAX_WAIT)
                .untilAsserted(() -> api.get("/api/admin/projections")
                        .json()
                        .path("projections")
                        .forEach(each -> assertThat(each.path("lagEvents").asLong() == 0
                                        || each.path("position").asLong() >= position)
                                .as(each.toString())
                                .isTrue()));
    }

    private long skipped(String projection) {
        return api.get("/api/admin/projections/" + projection)
                .expect(200)
                .json()
                .path("skipped")
                .asLong();
    }

    private long append(String... events) {
        return api.post("/dcb/append", "{\"events\": [%s]}".formatted(String.join(",", events)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    private static String event(String type, String data, String... tags) {
        return "{\"type\": \"%s\", \"data\": %s, \"tags\": [%s]}"
                .formatted(type, data, Stream.of(tags).map(HostileValues::json).collect(Collectors.joining(",")));
    }

    static Stream<String> unreadable() {
        return Stream.of(
                "{}",
                "[]",
                "5",
                "\"null\"",
                "true",
                "\"\\\"text\\\"\"",
                "\"\"",
                "\"not json\"",
                "\"{\\\"courseId\\\": \\\"ID\\\"\"",
                "\"{} {}\"",
                "\"%s\"".formatted("[".repeat(50_000)),
                "\"\\n\\ndata: {}\\u2028\\r\\n\\ufeff{}\"",
                "{\"courseId\": {}, \"studentId\": []}",
                "{\"courseId\": null, \"studentId\": null}",
                "{\"courseId\": \"a b\", \"studentId\": \"\\u0000\", \"title\": \"T\", \"capacity\": 1, \"name\": \"N\", \"email\": \"E\"}",
                "{\"courseId\": \"other\", \"studentId\": \"other\", \"title\": \"T\", \"capacity\": 1, \"name\": \"N\", \"email\": \"E\"}",
                "{\"courseId\": \"ID\", \"studentId\": \"ID\", \"title\": 1, \"capacity\": 1e400, \"name\": {}, \"email\": \"E\", \"x\": %s1%s}"
                        .formatted("[".repeat(300), "]".repeat(300)),
                "{\"courseId\": \"ID\", \"studentId\": \"x-ID\", \"title\": \"%s\", \"capacity\": 99999999999, \"name\": \"\\ud800\", \"email\": \"E\"}"
                        .formatted("t".repeat(201)),
                "{\"courseId\": \"ID\", \"studentId\": \"y-ID\", \"title\": \"T\", \"capacity\": 1, \"opensAt\": 1e300, \"name\": \"%s\", \"email\": \"E\"}"
                        .formatted("n".repeat(201)));
    }

    /* The tags name a course and a student that are there, so each event is found by every decision about them. */
    @ParameterizedTest
    @MethodSource("unreadable")
    void unreadable_events_are_skipped_by_views_automations_and_decisions(String data) {
        String course = api.course(1);
        String student = api.student();
        long before = skipped("courses") + skipped("students") + skipped("enrollments");
        String named = data.replace("ID", course);

        long last = append(Stream.of(
                        "CourseDefined",
                        "CourseCapacityChanged",
                        "CoursePrerequisitesChanged",
                        "CourseClosed",
                        "StudentRegistered",
                        "StudentTierChanged",
                        "StudentEnrolledInCourse",
                        "StudentDroppedCourse",
                        "StudentJoinedWaitingList",
                        "StudentLeftWaitingList")
                .filter(type -> !(type.equals("CourseClosed") && named.contains("\"" + course + "\"")))
                .filter(type -> !(type.equals("CourseCapacityChanged") && named.contains("\"capacity\": 1,")))
                .map(type -> event(type, named, "course:" + course, "student:" + student))
                .toArray(String[]::new));

        awaitAll(last);
        assertThat(skipped("courses") + skipped("students") + skipped("enrollments"))
                .isGreaterThan(before);
        String after = Long.toString(last);
        for (String consistency : List.of("view", "strong")) {
            Answer seen = api.get(
                            "/api/courses/%s?consistency=%s".formatted(course, consistency), "Registrar-After", after)
                    .expect(200);
            assertThat(seen.json().path("enrolled").asInt()).isZero();
            assertThat(seen.json().path("closed").asBoolean()).isFalse();
            api.get("/api/students/%s?consistency=%s".formatted(student, consistency), "Registrar-After", after)
                    .expect(200);
        }
        api.enroll(student, course).expect(201);
        assertThat(api.get("/api/courses/" + course)
                        .expect(200)
                        .json()
                        .path("full")
                        .asBoolean())
                .isTrue();
    }

    /* Other clients of the store may append events that no decision makes; all readers must agree on them. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void views_survive_events_in_any_order_and_agree_with_the_store(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> courses = List.of(Api.newId("any"), Api.newId("any"), Api.newId("any"));
        List<String> students = List.of(Api.newId("any"), Api.newId("any"), Api.newId("any"));
        long last = 0;
        for (int append = 0; append < 12; append++) {
            last = append(Stream.generate(() -> anyEvent(random, courses, students))
                    .limit(random.nextInt(1, 20))
                    .toArray(String[]::new));
        }

        awaitAll(last);
        String after = Long.toString(last);
        for (String path : paths(courses, students)) {
            Answer view = api.get(path, "Registrar-After", after);
            Answer store = api.get(path + "?consistency=strong", "Registrar-After", after);
            assertThat(view.status()).as(path).isEqualTo(store.status());
            assertThat(content(view)).as("%s of seed %d", path, seed).isEqualTo(content(store));
        }
    }

    private static Object content(Answer answer) {
        return answer.status() == 200 ? answer.json() : answer.json().path("code");
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
        return switch (random.nextInt(15)) {
            case 0 ->
                event(
                        "CourseDefined",
                        "{\"courseId\": \"%s\", \"title\": \"a\\u0000\\n%d\", \"capacity\": %d, \"opensAt\": \"+10000-01-01T00:00:00Z\", \"closesAt\": \"-0001-01-01T00:00:00.999999999Z\", \"prerequisites\": %s}"
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
                        "{\"courseId\": \"%s\", \"capacity\": %d}".formatted(course, random.nextInt(1, 9)),
                        ofCourse);
            case 2 -> event("CourseClosed", pair, ofCourse);
            case 3 ->
                event(
                        "StudentRegistered",
                        "{\"studentId\": \"%s\", \"name\": \"\\u0000%d\", \"email\": \"a\\u0000b@x.org\"}"
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
            await().atMost(MAX_WAIT).until(() -> stateOf("students").equals("stopped"));

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

    @Test
    void skipping_any_other_event_is_refused() {
        skip("courses", "1").expectProblem(409, "not-skippable");
        skip("waiting-list", "1").expectProblem(409, "not-skippable");
        skip("nothing", "1").expectProblem(404, "projection-unknown");
        skip("courses", "0").expectProblem(422, "invalid-value").expectPointer("/position");
        skip("courses", "null").expectProblem(422, "invalid-value").expectPointer("/position");
        skip("courses", "\"1\"").expectProblem(422, "invalid-value").expectPointer("/position");
    }
}
