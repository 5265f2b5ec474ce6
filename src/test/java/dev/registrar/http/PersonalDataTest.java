package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** All that is stored about a student is shown, and erased: afterwards nothing has the name or the address. */
@ServiceTest
@ExtendWith(OutputCaptureExtension.class)
class PersonalDataTest {
    private static final String ERASE = "?reason=" + URLEncoder.encode("request 17", StandardCharsets.UTF_8);

    /** Answers that do not end. */
    private static final List<String> STREAMS =
            List.of("/console/events/live", "/console/live/seats", "/dcb/events", "/api/courses/{courseId}/events");

    private final Api api;
    private final DataSource database;
    private final JdbcClient sql;
    private final ConsoleClient browser;

    private final String student = Api.newId("student");
    private final String secret = "Archer%s".formatted(student.replace("student-", ""));
    private final String address = secret.toLowerCase(Locale.ROOT) + "@example.org";

    PersonalDataTest(@LocalServerPort int port, @Autowired DataSource database) {
        this.api = new Api(port);
        this.database = database;
        this.sql = JdbcClient.create(database);
        this.browser = new ConsoleClient(port);
    }

    private void register() {
        api.post("/api/students", """
                        {"id": "%s", "name": "Ann %s", "email": "%s"}""".formatted(student, secret, address)).expect(201);
    }

    private Answer erase() {
        return api.delete("/api/students/%s/personal-data%s".formatted(student, ERASE));
    }

    @Test
    void all_events_of_a_student_are_shown_in_pages() {
        register();
        String course = api.course(3);
        api.enroll(student, course).expect(201);
        String path = "/api/students/%s/personal-data".formatted(student);

        Answer all = api.get(path).expect(200);

        assertThat(all.json().at("/student/name").asString()).isEqualTo("Ann " + secret);
        assertThat(all.json().at("/events/0/data").asString()).contains(address);
        assertThat(all.json().at("/events/1/type").asString()).isEqualTo("StudentEnrolledInCourse");
        assertThat(all.json().has("next")).isFalse();
        Answer first = api.get(path + "?limit=1").expect(200);
        assertThat(api.get(path + "?limit=1&after=" + first.json().path("next").asLong())
                        .json()
                        .path("events"))
                .singleElement()
                .isEqualTo(all.json().at("/events/1"));
        api.get("/api/students/nobody/personal-data").expectProblem(404, "student-unknown");
    }

    @Test
    void nothing_has_the_name_or_the_address_afterwards(
            CapturedOutput log,
            @Autowired @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mappings)
            throws Exception {
        register();
        String other = "former-" + address;
        api.put(
                        "/api/students/%s/email".formatted(student),
                        "{\"email\": \"%s\"}".formatted(other),
                        "Idempotency-Key",
                        secret)
                .expect(200);
        api.put("/api/students/%s/name".formatted(student), "{\"name\": \"%s\"}".formatted(secret))
                .expect(200);
        api.post("/api/students", "{\"name\": \"B\", \"email\": \"%s\"}".formatted(other))
                .expectProblem(409, "email-taken");
        String course = api.course(3);
        api.put(
                        "/api/courses/%s/students/%s/override".formatted(course, student),
                        "{\"reason\": \"%s is ill\"}".formatted(secret))
                .expect(201);
        // The samples that PostgreSQL takes of the columns
        sql.sql("analyze").update();
        assertThat(tablesWith(secret)).contains("registrar.events", "registrar_students.students");

        Answer erased = erase().expect(204);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(tablesWith(secret)).isEmpty());
        for (String path : paths(mappings, course, erased.position())) {
            assertThat(api.get(path).text()).as(path).doesNotContainIgnoringCase(secret);
        }
        assertThat(api.get("/api/courses/%s/events".formatted(course), "Accept", "application/json")
                        .text())
                .doesNotContainIgnoringCase(secret);
        assertThat(log.getAll()).doesNotContainIgnoringCase(secret);
        assertThat(api.get("/api/students/" + student).json().path("name").asString())
                .isEqualTo("(erased)");
        assertThat(api.get("/api/courses/%s/students".formatted(course)).text()).contains(student, "(erased)");
    }

    /** Every table of the database that has a text, each as a dump has it, and the samples of the planner. */
    private List<String> tablesWith(String text) throws SQLException, IOException {
        List<String> found = new ArrayList<>();
        List<String> tables = new ArrayList<>(sql.sql("""
                        select format('%I.%I', table_schema, table_name)
                        from information_schema.tables
                        where table_type = 'BASE TABLE'
                        and table_schema not in ('pg_catalog', 'information_schema')""").query(String.class).list());
        tables.add("pg_stats");
        try (Connection connection = database.getConnection()) {
            for (String table : tables) {
                StringWriter dump = new StringWriter();
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("copy (select * from %s) to stdout".formatted(table), dump);
                if (dump.toString().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))) {
                    found.add(table);
                }
            }
        }
        return found;
    }

    /** Every path that is read. */
    private List<String> paths(RequestMappingHandlerMapping mappings, String course, long position) {
        Map<String, String> values = Map.of(
                "courseId", course, "studentId", student, "position", Long.toString(position), "name", "students");
        return mappings.getHandlerMethods().keySet().stream()
                .filter(mapping -> mapping.getMethodsCondition().getMethods().isEmpty()
                        || mapping.getMethodsCondition().getMethods().contains(RequestMethod.GET))
                .flatMap(mapping -> mapping.getPatternValues().stream())
                .filter(pattern -> !STREAMS.contains(pattern))
                .flatMap(pattern -> {
                    String path = pattern;
                    for (Map.Entry<String, String> value : values.entrySet()) {
                        path = path.replace("{%s}".formatted(value.getKey()), value.getValue());
                    }
                    return path.contains("{") ? Stream.empty() : Stream.of(path);
                })
                .distinct()
                .toList();
    }

    @Test
    void the_address_is_free_afterwards_and_seats_stay_taken() {
        register();
        String course = api.course(1);
        api.enroll(student, course).expect(201);
        String bob = api.student();
        api.enroll(bob, course).expectProblem(409, "course-full");

        erase().expect(204);

        api.enroll(bob, course).expectProblem(409, "course-full");
        api.post("/api/students", "{\"name\": \"Bob\", \"email\": \"%s\"}".formatted(address))
                .expect(201);
        api.post("/api/students", "{\"id\": \"%s\", \"name\": \"Bob\", \"email\": \"x%s\"}".formatted(student, address))
                .expectProblem(409, "student-id-taken");
        api.put("/api/students/%s/name".formatted(student), "{\"name\": \"Ann\"}")
                .expectProblem(404, "student-unknown");
    }

    /* A rebuild may have read the events before they are masked: the event of the erasure, behind them, blanks its rows. */
    @Test
    void views_that_are_rebuilt_meanwhile_have_nothing_either() {
        register();
        for (String view : List.of("students", "enrollments")) {
            api.post("/api/admin/projections/%s/rebuild".formatted(view), "").expect(200);
        }

        erase().expect(204);

        await().ignoreExceptions().untilAsserted(() -> {
            assertThat(sql.sql("select count(*) from registrar.projections where build = 'next'")
                            .query(Long.class)
                            .single())
                    .isZero();
            assertThat(tablesWith(secret)).isEmpty();
        });
        assertThat(api.get("/api/students/" + student).json().path("name").asString())
                .isEqualTo("(erased)");
    }

    @Test
    void a_repetition_changes_nothing_and_is_answered_alike() {
        register();
        erase().expect(204);
        String events =
                api.get("/api/students/%s/personal-data".formatted(student)).text();

        erase().expect(204);

        assertThat(api.get("/api/students/%s/personal-data".formatted(student)).text())
                .isEqualTo(events);
    }

    @Test
    void a_reason_that_an_override_has_given_later_is_erased_by_a_repetition() {
        register();
        erase().expect(204);
        api.put(
                        "/api/courses/%s/students/%s/override".formatted(api.course(3), student),
                        "{\"reason\": \"%s is ill\"}".formatted(secret))
                .expect(201);
        await().untilAsserted(() -> assertThat(tablesWith(secret)).contains("registrar_enrollments.overrides"));

        erase().expect(204);

        await().untilAsserted(() -> assertThat(tablesWith(secret)).isEmpty());
    }

    @Test
    void an_unknown_student_and_a_missing_reason_are_refused() {
        erase().expectProblem(404, "student-unknown");
        api.delete("/api/students/%s/personal-data".formatted(student)).expectProblem(422, "invalid-value");
        api.delete("/api/students/%s/personal-data?reason=%%20".formatted(student))
                .expectProblem(422, "invalid-value");
    }

    @Test
    void the_console_asks_for_a_reason_and_erases() {
        register();
        api.get("/api/students/" + student).expect(200);
        String page = "/console/office/students/" + student;
        assertThat(api.get(page).expect(200).text()).contains(page + "/erase");
        assertThat(api.get(page + "/erase").expect(200).text()).contains("Ann " + secret);

        browser.submit(page + "/erase", page + "/erase", "reason", "").expect(422);
        assertThat(browser.submit(page + "/erase", page + "/erase", "reason", "request 17")
                        .expect(200)
                        .text())
                .contains("The personal data of student %s is erased.".formatted(student), "(erased)");

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(tablesWith(secret)).isEmpty());
        assertThat(sql.sql("select reason from registrar.erasures order by number desc limit 1")
                        .query(String.class)
                        .single())
                .isEqualTo("request 17");
    }
}
