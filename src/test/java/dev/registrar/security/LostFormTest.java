package dev.registrar.security;

import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A form whose session has ended changes nothing, and its answer shows what was not saved. */
@ServiceWithIssuerTest
class LostFormTest {
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final Api api;
    private final TestBrowser browser;
    private final String course = Api.newId("course");
    private final String student = Api.newId("student");
    private final String enroll = "/console/courses/%s/enroll".formatted(course);

    LostFormTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = new TestBrowser(port);
    }

    private void openCourse() {
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), OFFICE)
                .expect(201);
        api.post(
                        "/api/students",
                        "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"%s@example.org\"}"
                                .formatted(student, student),
                        OFFICE)
                .expect(201);
    }

    private int enrollment() {
        return api.get("/api/courses/%s/students/%s?consistency=strong".formatted(course, student), OFFICE)
                .status();
    }

    private void login(String who) {
        browser.login(TestBrowser.token(TestIssuer.student(who)));
    }

    private void assertLost(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("so nothing was changed.", "This was not saved");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(enrollment()).isEqualTo(404);
    }

    @Test
    void a_form_without_a_session_shows_its_input_and_leads_back_to_its_page() {
        openCourse();
        String page = "/console/courses/%s?search=a%%20b".formatted(course);

        HttpResponse<String> lost = browser.post(
                enroll,
                ConsoleClient.form("_csrf", "ended", "page", "course", "note", "two\r\n<b>lines</b>"),
                "Sec-Fetch-Site",
                "same-origin",
                "Referer",
                "http://127.0.0.1" + page);

        assertLost(lost);
        assertThat(lost.body()).contains("Your login had ended");
        assertThat(lost.body())
                .contains("&lt;b&gt;lines&lt;/b&gt;", "href=\"%s\"".formatted(page))
                .doesNotContain("<b>lines", "ended</pre>");
        assertThat(location(browser.open(page))).isEqualTo(TestBrowser.LOGIN);
        assertThat(location(browser.login(TestBrowser.token(TestIssuer.student(student)))))
                .isEqualTo(page);
    }

    @Test
    void a_token_of_an_earlier_session_changes_nothing_for_a_person_who_is_logged_in() {
        openCourse();
        login(student);

        HttpResponse<String> lost = browser.submit(enroll, "_csrf", "of an earlier session", "page", "course");

        assertLost(lost);
        assertThat(lost.body()).contains("The page was open for too long").doesNotContain("had ended");
    }

    @Test
    void the_way_back_leads_to_a_page_of_the_console_only() {
        openCourse();
        for (String referer : List.of("https://attacker.example//attacker.example/x", "javascript:alert(1)", "%%%")) {
            HttpResponse<String> lost =
                    browser.post(enroll, "page=course", "Sec-Fetch-Site", "same-origin", "Referer", referer);

            assertLost(lost);
            assertThat(lost.body()).contains("href=\"/\">Open the page again").doesNotContain("attacker", "javascript");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/console/office/courses/latin/capacity, /console/office/courses/latin/capacity, /console/office/courses/latin",
        "/console/office/students/a%20b/courses?x=y, /console/office/students/a%20b/courses, /console/office/students/a%20b",
        "/console/office/import/01900000, /console/office/import, /console/office/import",
        "/console/office/define?x=y, /console/office/define, /console/office/define?x=y",
        "/console/projections/courses/pause/confirm, /console/projections/courses/pause, /console/projections/courses/pause/confirm",
        "/console/unknown, /console/office/define, /"
    })
    void the_way_back_leads_to_a_page_that_a_browser_can_open(String sender, String form, String page) {
        HttpResponse<String> lost = browser.post(
                form, "note=typed", "Sec-Fetch-Site", "same-origin", "Referer", "http://127.0.0.1" + sender);

        assertThat(lost.body()).contains("href=\"%s\">Open the page again".formatted(page));
    }

    @Test
    void the_input_of_a_form_of_another_origin_is_not_shown() {
        String[][] origins = {
            {"Sec-Fetch-Site", "cross-site"},
            {"Sec-Fetch-Site", "same-site"},
            {"Sec-Fetch-Site", "none"},
            {"Origin", "https://attacker.example"},
            {"Origin", "null"},
            {"X-Unknown", "no header of a browser"}
        };
        for (String[] origin : origins) {
            HttpResponse<String> answer = browser.post(enroll, "note=forged", origin);

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(answer.body()).doesNotContain("forged");
        }
    }

    @Test
    void a_form_has_a_largest_size() {
        String tooLarge = "x".repeat(64 * 1024);

        assertThat(browser.submit(enroll, "note", tooLarge).statusCode()).isEqualTo(413);
        assertThat(browser.submit(enroll, "note", tooLarge.substring(100)).statusCode())
                .isEqualTo(403);
    }
}
