package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The list of courses and the roster of a course as CSV, over HTTP and in the console. */
@ServiceTest
class ListFileTest {
    private static final String HEADER =
            "id,title,capacity,opensAt,closesAt,prerequisites,times,enrolled,waiting,closed\r\n";
    private static final String TIMES = "Mon 10:00-11:30; Wed 14:00-15:30";
    private static final String ROSTER = "courseId,studentId,name,enrolledAt,overrideReason,overrideBy\r\n";

    private final Api api;
    private final ConsoleClient office;

    ListFileTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
    }

    @Test
    void the_courses_of_a_search_are_a_file() {
        String word = Api.newId("listed");
        String required = api.course(1);
        String first = define(word + " A, with \"quotes\"", required);
        String second = define("'=" + word + " B", required);
        String after = Long.toString(api.enroll(api.student(), required).position());

        Answer file = csv("/api/courses?search=" + word, after).expect(200);

        assertThat(file.header("Content-Type")).isEqualTo("text/csv;header=present;charset=UTF-8");
        assertThat(file.header("Content-Disposition")).isEqualTo("attachment; filename=\"courses.csv\"");
        assertThat(file.position()).isGreaterThanOrEqualTo(Long.parseLong(after));
        assertThat(file.text())
                .isEqualTo(HEADER
                        + "%s,''=%s B,7,2026-09-01T08:00:00Z,,%s,%s,0,0,false\r\n"
                                .formatted(second, word, required, TIMES)
                        + "%s,\"%s A, with \"\"quotes\"\"\",7,2026-09-01T08:00:00Z,,%s,%s,0,0,false\r\n"
                                .formatted(first, word, required, TIMES));
        assertThat(csv("/api/courses?filter=full&sort=popularity&search=" + word, after)
                        .text())
                .isEqualTo(HEADER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.ms-excel", "text/plain", "text/csv; charset=windows-1252"})
    void csv_is_imported_under_the_types_that_programs_give_it(String type) {
        imported(type, "id;title;capacity\r\n%s;Latin;30\r\n".formatted(Api.newId("typed")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /api/courses        | text/csv                          | application/json in UTF-8 but is text/csv
            /api/courses        | application/json; charset=UTF-16  | application/json in UTF-8 but is application/json;charset=UTF-16
            /api/courses/import | text/csv; charset=ISO-8859-2      | text/csv;charset=UTF-8 or text/csv;charset=UTF-16 or text/csv;charset=windows-1252 but is text/csv;charset=ISO-8859-2
            /api/courses/import | application/xml                   | text/csv or application/x-ndjson or application/vnd.ms-excel or text/plain but is application/xml
            """)
    void a_body_of_another_type_is_refused_with_what_its_operation_reads(String path, String type, String sentence) {
        Answer refused = api.send("POST", path, BodyPublishers.ofString("id"), "Content-Type", type)
                .expectProblem(415, "unsupported-media-type");

        assertThat(refused.json().path("detail").asString()).isEqualTo("The body must be " + sentence);
    }

    @Test
    void a_roster_is_a_file_with_names() {
        String course = api.course(3);
        String student = api.student();
        String after = Long.toString(api.enroll(student, course).position());

        Answer file = csv("/api/courses/%s/students".formatted(course), after).expect(200);

        assertThat(file.header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"roster-%s.csv\"".formatted(course));
        assertThat(file.text()).startsWith(ROSTER + "%s,%s,".formatted(course, student));
        assertThat(file.text().lines()).hasSize(2).last().asString().matches(".*,[^,]+,20[0-9T:.-]+Z,,");
        assertThat(csv("/api/courses/%s/students".formatted(api.course(1)), after)
                        .text()
                        .lines())
                .hasSize(1);
    }

    @Test
    void a_roster_tells_why_and_by_whom_a_student_is_there_by_override() {
        String course = api.course(1);
        String student = api.student();
        String after = Long.toString(api.put(
                        "/api/courses/%s/students/%s/override".formatted(course, student),
                        "{\"reason\": \"=1, \\\"retakes\\\"\"}")
                .expect(201)
                .position());

        assertThat(csv("/api/courses/%s/students".formatted(course), after).text())
                .endsWith("Z,\"'=1, \"\"retakes\"\"\",local\r\n");
        assertThat(office.open("/console/office/courses/%s?download=csv".formatted(course))
                        .expect(200)
                        .html())
                .endsWith("Z,\"'=1, \"\"retakes\"\"\",local\r\n");
    }

    @Test
    void what_cannot_be_listed_is_a_problem() {
        csv("/api/courses/nowhere/students", "0").expectProblem(404, "course-unknown");
        csv("/api/courses?sort=size", "0").expectProblem(422, "invalid-value");
        csv("/api/courses?limit=5", "0").expectProblem(400, "unknown-parameter");
        csv("/api/courses", "999999999999").expectProblem(422, "invalid-value");
        assertThat(api.get("/api/courses", "Accept", "*/*").expect(200).header("Content-Type"))
                .isEqualTo("application/json");
        assertThat(api.get("/api/courses", "Accept", "text/csv;q=0.1, application/json")
                        .expect(200)
                        .header("Content-Type"))
                .isEqualTo("application/json");
    }

    @Test
    void the_console_links_to_both_files() {
        String word = Api.newId("shown");
        String course = define(word, api.course(1));
        String student = api.student();
        String other = api.course(1);
        api.enroll(student, other).expect(201);
        api.get("/api/courses/%s/students?consistency=strong".formatted(other)).expect(200);
        api.get("/api/courses/%s?consistency=strong".formatted(course)).expect(200);

        assertThat(office.open("/console/office/courses?search=" + word)
                        .expect(200)
                        .html())
                .contains("/console/office/courses?download=csv&amp;search=%s&amp;filter=all".formatted(word));
        assertThat(office.open("/console/office/courses/" + other).expect(200).html())
                .contains("/console/office/courses/%s?download=csv".formatted(other));
        assertThat(office.open("/console/office/courses?download=csv&search=" + word)
                        .expect(200)
                        .html())
                .startsWith("\uFEFF" + HEADER + course);
        assertThat(office.open("/console/office/courses/%s?download=csv".formatted(other))
                        .expect(200)
                        .html())
                .startsWith("\uFEFF" + ROSTER + "%s,%s,".formatted(other, student));
        office.open("/console/office/courses/nowhere?download=csv").expect(404);
    }

    private String define(String title, String required) {
        String id = Api.newId("course");
        api.post("/api/courses", """
                        {"id": "%s", "title": "%s", "capacity": 7, "opensAt": "2026-09-01T08:00:00Z",
                         "prerequisites": ["%s"],
                         "times": [{"day": "WEDNESDAY", "from": "14:00", "to": "15:30"},
                                   {"day": "MONDAY", "from": "10:00", "to": "11:30"}]}""".formatted(id, title.replace("\"", "\\\""), required))
                .expect(201);
        return id;
    }

    private Answer csv(String path, String after) {
        return api.get(path, "Accept", "text/csv", "Registrar-After", after);
    }

    /* Returns the position of the last course. */
    private String imported(String type, String file) {
        Answer begun = api.send("POST", "/api/courses/import", BodyPublishers.ofString(file), "Content-Type", type)
                .expect(202);
        Answer ended = await().until(
                        () -> api.get(begun.header("Location")).expect(200),
                        each -> each.json().path("state").asString().matches("REFUSED|FINISHED|STOPPED"));
        assertThat(ended.json().path("state").asString()).as(ended.text()).isEqualTo("FINISHED");
        return ended.json().path("position").asString();
    }
}
