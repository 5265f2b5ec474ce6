package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Refused commands, which are found by the correlation id that their answer names. */
@ServiceTest
class FoundRefusalsTest {
    private static final String CORRELATION = "X-Correlation-Id";
    private static final String REFUSALS = "/console/refusals";
    private static final Pattern REFERENCE = Pattern.compile("Reference: ([!-~]+)");

    private final Api api;
    private final ConsoleClient console;

    FoundRefusalsTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.console = new ConsoleClient(port);
    }

    private Answer find(String correlationId) {
        return api.get("/api/refusals?correlationId=" + encoded(correlationId));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String fullCourse() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        return course;
    }

    @Test
    void the_id_of_a_refused_answer_finds_the_refusal() {
        String course = fullCourse();
        String student = api.student();
        Instant before = Instant.now().truncatedTo(ChronoUnit.MICROS);

        Answer refused = api.enroll(student, course).expectProblem(409, "course-full");

        Answer found = find(refused.header(CORRELATION)).expect(200);
        JsonNode refusal = found.json().at("/refusals/0");
        assertThat(found.header("Cache-Control")).isEqualTo("no-store");
        assertThat(refusal.propertyNames()).containsExactly("refusedAt", "commandType", "code", "status");
        assertThat(refusal.path("commandType").asString()).isEqualTo("EnrollStudent");
        assertThat(refusal.path("code").asString()).isEqualTo("course-full");
        assertThat(refusal.path("status").asInt()).isEqualTo(409);
        Instant refusedAt = Instant.parse(refusal.path("refusedAt").asString());
        assertThat(refusedAt).isBetween(before, Instant.now()).isEqualTo(refusedAt.truncatedTo(ChronoUnit.MICROS));
        assertThat(found.text()).doesNotContain(student, course);
    }

    @Test
    void commands_of_any_type_are_found_and_the_latest_comes_first() {
        String id = Api.newId("a/b;c?d#e%2F<script>\"&'");
        String course = fullCourse();

        api.send("PUT", "/api/courses/nowhere/students/" + api.student(), "", CORRELATION, id)
                .expectProblem(404, "course-unknown");
        api.post("/api/commands", """
                        {"type": "EnrollStudent", "data": {"studentId": "%s", "courseId": "%s"}}""".formatted(api.student(), course), CORRELATION, id)
                .expectProblem(409, "course-full");

        assertThat(find(id).expect(200).json().findValuesAsString("code"))
                .containsExactly("course-full", "course-unknown");
    }

    @Test
    void what_was_not_refused_by_a_rule_is_unknown() {
        String id = Api.newId("done");
        String course = api.course(1);
        String student = api.student();
        String path = "/api/courses/%s/students/%s".formatted(course, student);
        api.send("PUT", path, "", CORRELATION, id).expect(201);
        api.send("PUT", path, "", CORRELATION, id).expect(200);
        api.post("/api/courses", "{}", CORRELATION, id).expect(422);

        assertThat(find(id).expectProblem(404, "refusal-unknown")
                        .json()
                        .path("detail")
                        .asString())
                .isEqualTo("There is no refused command of correlation %s among the latest 1000 refusals".formatted(id)
                        + " of this instance since its start; other instances keep their own");
        for (String unusable : List.of("", "two words", "x".repeat(129), "\u202Eid")) {
            find(unusable).expectProblem(422, "invalid-value");
        }
        api.get("/api/refusals").expectProblem(422, "invalid-value");
    }

    @Test
    void the_reference_on_a_page_finds_the_refusal_on_the_page_of_refusals() {
        String student = api.student();
        String course = fullCourse();
        api.get("/api/courses/%s?consistency=strong".formatted(course)).expect(200);
        api.get("/api/students/" + student).expect(200);
        console.submit("/", "/console/role", "role", "student", "student", student)
                .expect(200);
        Page notice = console.submit(
                "/", "/console/courses/%s/enroll".formatted(course), "page", "course", "shownFor", student);
        assertThat(notice.html()).doesNotContain(REFUSALS);
        console.submit("/", "/console/role", "role", "everything", "student", "")
                .expect(200);
        Page form = console.submit(
                "/console/office/courses/" + course,
                "/console/office/courses/%s/students".formatted(course),
                "student",
                student);

        assertThat(form.status()).isEqualTo(409);
        assertThat(form.html()).contains("%s?reference=%s".formatted(REFUSALS, reference(form)));
        for (Page page : List.of(notice, form)) {
            assertThat(console.open("%s?reference=%%20%s".formatted(REFUSALS, reference(page)))
                            .expect(200)
                            .text())
                    .contains("EnrollStudent The course was full. course-full")
                    .doesNotContain("No refused command", student, course);
        }
    }

    private static String reference(Page page) {
        Matcher reference = REFERENCE.matcher(page.text());
        assertThat(reference.find()).as(page.text()).isTrue();
        return reference.group(1);
    }

    @Test
    void a_text_that_is_no_reference_finds_nothing() {
        for (String text : List.of("unknown", "<script>alert(1)</script>", "\u202E\u0000", "x".repeat(4_000))) {
            Page page = console.open("%s?reference=%s".formatted(REFUSALS, encoded(text)))
                    .expect(200);

            assertThat(page.text())
                    .contains("No refused command has this reference.", "latest 1,000 refusals", "until it stops");
            assertThat(page.html()).doesNotContain("<script>alert");
        }
        assertThat(console.open(REFUSALS).expect(200).text()).doesNotContain("No refused command");
    }

    @Test
    void a_notice_without_a_refused_command_has_no_reference() {
        String course = api.course(1);
        api.get("/api/courses/%s?consistency=strong".formatted(course)).expect(200);

        Page page = console.submit("/", "/console/courses/%s/swap".formatted(course), "page", "course", "other", "");

        assertThat(page.text()).contains("Not done.").doesNotContain("Reference:");
    }
}
