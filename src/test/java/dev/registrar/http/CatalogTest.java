package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The lists of courses, students and waiting lists, and their consistency. */
@ServiceTest
class CatalogTest {
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

    private final Api api;
    private final ConsoleClient client;
    private final DataSource database;

    CatalogTest(@LocalServerPort int port, @Autowired DataSource database) {
        this.api = new Api(port);
        this.client = new ConsoleClient(port);
        this.database = database;
    }

    private String course(String title, int capacity) {
        String id = Api.newId("catalog");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"%s\", \"capacity\": %s}".formatted(id, title, capacity))
                .expect(201);
        return id;
    }

    private List<String> ids(String list, String path) {
        return ids(list, "id", path);
    }

    private List<String> ids(String list, String field, String path) {
        List<String> ids = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            Answer page = api.get(next).expect(200);
            assertThat(page.position()).isPositive();
            page.json().path(list).forEach(entry -> ids.add(entry.path(field).asString()));
            Matcher link = NEXT.matcher(page.header("Link"));
            next = link.find() ? link.group(1) : "";
        }
        return ids;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void courses_are_sorted_by_title_and_paged(int limit) {
        String word = Api.newId("Botany");
        String second = course(word + " b", 1);
        String first = course(word + " A", 1);
        String third = course(word + " b", 1);

        assertThat(ids(
                        "courses",
                        "/api/courses?limit=%s&search=%s".formatted(limit, encoded(word.toLowerCase(Locale.ROOT)))))
                .containsExactly(first, second, third);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void courses_are_sorted_by_seats_and_by_popularity(int limit) {
        String word = Api.newId("Zoology");
        String small = course(word, 2);
        String large = course(word, 5);
        String wanted = course(word, 3);
        api.enroll(api.student(), wanted).expect(201);
        api.enroll(api.student(), wanted).expect(201);
        api.enroll(api.student(), small).expect(201);

        assertThat(ids("courses", "/api/courses?sort=seats&limit=%s&search=%s".formatted(limit, encoded(word))))
                .containsExactly(large, small, wanted);
        assertThat(ids("courses", "/api/courses?sort=popularity&limit=%s&search=%s".formatted(limit, encoded(word))))
                .containsExactly(wanted, small, large);
    }

    @Test
    void courses_are_filtered_by_availability() {
        String word = Api.newId("Geology");
        String open = course(word, 1);
        String full = course(word, 1);
        String closed = course(word, 1);
        api.enroll(api.student(), full).expect(201);
        api.post("/api/courses/%s/close".formatted(closed), "").expect(200);

        assertThat(ids("courses", "/api/courses?filter=open&search=" + encoded(word)))
                .containsExactly(open);
        assertThat(ids("courses", "/api/courses?filter=full&search=" + encoded(word)))
                .containsExactly(full);
    }

    @Test
    void a_search_takes_wildcard_characters_literally() {
        String word = Api.newId("Logic");
        String percent = course(word + " 100%_\\\\", 1);
        course(word + " 1000", 1);

        assertThat(ids("courses", "/api/courses?search=" + encoded(word + " 100%_\\")))
                .containsExactly(percent);
    }

    @Test
    void a_search_finds_equal_texts_in_other_forms() {
        String word = Api.newId("Forms");
        String decomposed = course(word + " Cafe\u0301", 1);
        String ligature = course(word + " O\uFB03ce", 1);
        String sharp = course(word + " Stra\u00DFe", 1);

        for (String text : List.of("caf\u00E9", "CAF\u00C9", "\uFF43\uFF41\uFF46e\u0301")) {
            assertThat(ids("courses", "/api/courses?search=" + encoded(word + " " + text)))
                    .containsExactly(decomposed);
        }
        assertThat(ids("courses", "/api/courses?search=" + encoded(word + " office")))
                .containsExactly(ligature);
        assertThat(ids("courses", "/api/courses?search=" + encoded(word + " STRASSE")))
                .containsExactly(sharp);
        assertThat(ids("courses", "/api/courses?search=" + encoded(word + " cafe")))
                .isEmpty();
        assertThat(api.get("/api/courses/" + ligature).json().path("title").asString())
                .isEqualTo(word + " O\uFB03ce");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0301\u0323",
                "\u0001\u001F\u007F",
                "\uFFFF",
                "\uD83D\uDE00",
                "\uFDFA\uFDFA",
                "%_\\",
                "'\";--",
                "\u200B",
                "$1?:: :name"
            })
    void any_text_can_be_searched_for(String text) {
        for (String list : List.of("courses", "students")) {
            assertThat(api.get("/api/%s?search=%s".formatted(list, encoded(text)))
                            .status())
                    .isEqualTo(200);
            assertThat(client.open("/console/office/%s?search=%s".formatted(list, encoded(text)))
                            .status())
                    .isEqualTo(200);
        }
    }

    /* The lock stands for searches that take long. */
    @Test
    void a_search_that_takes_too_long_is_rejected_as_overload_and_look_ups_go_on() throws SQLException {
        String course = course("Searched for long", 1);
        api.get("/api/courses/" + course).expect(200);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table registrar_courses.titles in access exclusive mode");

            Answer late = api.get("/api/courses?search=long");
            late.expectProblem(503, "overloaded");
            assertThat(late.header("Retry-After")).isEqualTo("1");
            Page page = client.open("/console/courses?search=long");
            assertThat(page.status()).isEqualTo(503);
            api.get("/api/courses/" + course).expect(200);
            connection.rollback();
        }
        assertThat(ids("courses", "/api/courses?search=searched+for+long")).contains(course);
    }

    @Test
    void students_are_sorted_by_name() {
        String name = Api.newId("Zoe");
        List<String> students = new ArrayList<>();
        for (String each : List.of("b", "A", "c")) {
            String id = Api.newId("catalog-student");
            students.add(id);
            api.post(
                            "/api/students",
                            "{\"id\": \"%s\", \"name\": \"%s %s\", \"email\": \"%s@example.org\"}"
                                    .formatted(id, name, each, id))
                    .expect(201);
        }

        assertThat(ids("students", "/api/students?limit=2&search=" + encoded(name.toUpperCase(Locale.ROOT))))
                .containsExactly(students.get(1), students.get(0), students.get(2));
    }

    /* Repeated, because a seat that an earlier test has freed may be given away meanwhile. */
    @Test
    void seats_are_counted_over_all_courses() {
        await().untilAsserted(() -> {
            // A look-up waits for the test's own writes, and so for the earlier ones of other tests.
            course("Written first", 1);
            Answer before = api.get("/api/seats").expect(200);
            String course = course("Counted", 7);
            api.enroll(api.student(), course).expect(201);

            Answer after = api.get("/api/seats").expect(200);

            assertThat(after.json().path("courses").asLong())
                    .isEqualTo(before.json().path("courses").asLong() + 1);
            assertThat(after.json().path("enrolled").asLong())
                    .isEqualTo(before.json().path("enrolled").asLong() + 1);
        });
    }

    @Test
    void rosters_are_paged() {
        String course = api.course(5);
        List<String> students = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            students.add(api.student());
            api.enroll(students.getLast(), course).expect(201);
        }

        assertThat(ids("enrollments", "studentId", "/api/courses/%s/students?limit=2".formatted(course)))
                .isEqualTo(students);
    }

    @Test
    void a_free_seat_goes_to_the_first_student_in_line() {
        String course = api.course(1);
        String seated = api.student();
        String first = api.student();
        String second = api.student();
        api.enroll(seated, course).expect(201);
        Answer joined = api.put("/api/courses/%s/waiting-list/%s".formatted(course, first))
                .expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, second)).expect(201);

        api.get(joined.header("Location")).expect(200);
        assertThat(line(course)).containsExactly(first, second);
        assertThat(api.get("/api/courses/" + course).json().path("waiting").asInt())
                .isEqualTo(2);
        assertThat(api.get("/api/students/%s/waiting-lists".formatted(second))
                        .json()
                        .path("waiting")
                        .get(0)
                        .path("courseId")
                        .asString())
                .isEqualTo(course);

        api.delete("/api/courses/%s/students/%s".formatted(course, seated)).expect(204);

        await().until(() ->
                api.get("/api/courses/%s/students/%s".formatted(course, first)).status() == 200);
        await().until(() -> line(course).equals(List.of(second)));
        api.get("/api/courses/%s/waiting-list/%s".formatted(course, first)).expectProblem(404, "not-waiting");
    }

    private List<String> line(String course) {
        List<String> students = new ArrayList<>();
        api.get("/api/courses/%s/waiting-list".formatted(course))
                .expect(200)
                .json()
                .path("waiting")
                .forEach(place -> students.add(place.path("studentId").asString()));
        return students;
    }

    @Test
    void a_look_up_waits_for_its_position_and_reports_a_time_out() {
        String course = api.course(1);
        api.get("/api/courses/" + course).expect(200);
        api.post("/api/admin/projections/courses/pause", "").expect(200);
        try {
            long last = api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": 2}")
                    .expect(204)
                    .position();

            Answer late = api.get("/api/courses/" + course, "Registrar-After", Long.toString(last));

            late.expectProblem(503, "view-behind");
            assertThat(late.header("Retry-After")).isEqualTo("1");
            assertThat(late.json().path("detail").asString())
                    .matches(
                            "The view 'courses' is paused at position [0-9]+ and does not have position %s: send the request again later"
                                    .formatted(last));
        } finally {
            api.post("/api/admin/projections/courses/resume", "").expect(200);
        }
        api.get("/api/courses/" + course, "Registrar-After", "many").expectProblem(422, "invalid-value");
    }

    /* The position that the view must have reached is the store's, so the client names none. */
    @Test
    void a_strong_look_up_is_refused_while_the_view_lacks_an_event() {
        String course = api.course(2);
        String path = "/api/courses/%s?consistency=strong".formatted(course);
        api.get(path).expect(200);
        api.post("/api/admin/projections/courses/pause", "").expect(200);
        try {
            api.student();
            api.get(path, "Registrar-After", "0").expect(200);
            long last = api.enroll(api.student(), course).expect(201).position();

            Answer late = api.get(path, "Registrar-After", "0");

            late.expectProblem(503, "view-behind");
            assertThat(late.header("Retry-After")).isEqualTo("1");
            assertThat(late.text()).contains("and does not have position %s".formatted(last));
        } finally {
            api.post("/api/admin/projections/courses/resume", "").expect(200);
        }
        assertThat(api.get(path).expect(200).json().path("enrolled").asInt()).isOne();
    }

    @Test
    void a_look_up_after_a_position_beyond_the_head_is_refused_at_once() {
        String course = api.course(1);
        long beyond = api.get("/dcb/head").json().path("head").asLong() + 1_000_000;

        Answer refused = api.get("/api/courses/" + course, "Registrar-After", Long.toString(beyond));

        refused.expectProblem(422, "invalid-value").expectPointer("/Registrar-After");
        assertThat(refused.text()).contains("Position %s is beyond the last event's".formatted(beyond));
    }

    @Test
    void views_and_automations_can_be_administered() {
        api.course(1);
        List<String> names = new ArrayList<>();
        api.get("/api/admin/projections")
                .expect(200)
                .json()
                .path("projections")
                .forEach(each -> names.add(each.path("name").asString()));
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "courses", "students", "enrollments", "waiting-lists", "waiting-list", "commands");

        Answer paused = api.post("/api/admin/projections/students/pause", "").expect(200);
        assertThat(paused.json().path("state").asString()).isEqualTo("paused");
        Answer resumed = api.post("/api/admin/projections/students/resume", "").expect(200);
        assertThat(resumed.json().path("state").asString()).isEqualTo("running");

        api.post("/api/admin/projections/waiting-list/rebuild", "").expectProblem(409, "not-rebuildable");
        api.post("/api/admin/projections/nothing/pause", "").expectProblem(404, "projection-unknown");
        api.post("/api/admin/projections/rebuild?name=courses&name=nothing", "")
                .expectProblem(404, "projection-unknown");
    }

    @Test
    void dead_letters_are_listed_and_only_those_there_are_can_be_retried_or_discarded() {
        String of = "/api/admin/projections/";
        assertThat(api.get(of + "waiting-list/dead-letters").expect(200).text()).isEqualTo("{\"deadLetters\":[]}");
        api.post(of + "waiting-list/retry-all", "").expect(200);

        api.post(of + "waiting-list/retry", "{\"position\": 1}").expectProblem(404, "dead-letter-unknown");
        api.post(of + "courses/discard", "{\"position\": 1}").expectProblem(404, "dead-letter-unknown");
        api.post(of + "courses/retry", "{\"position\": 1}").expectProblem(409, "not-retryable");
        api.get(of + "nothing/dead-letters").expectProblem(404, "projection-unknown");
    }

    @Test
    void a_rebuilt_view_has_the_same_content() {
        String course = course("Rebuilt", 3);
        api.enroll(api.student(), course).expect(201);
        String before = api.get("/api/courses/" + course).expect(200).text();

        api.post("/api/admin/projections/rebuild", "").expect(200);

        await().until(() -> !api.get("/api/admin/projections").text().contains("\"rebuild\""));
        assertThat(api.get("/api/courses/" + course).expect(200).text()).isEqualTo(before);
    }
}
