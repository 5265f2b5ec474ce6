package dev.registrar.security;

import static dev.registrar.security.TestBrowser.SESSION;
import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A session that ends in the middle of a form loses no input, and sends nothing by itself. */
@ServiceWithIssuerTest
class KeptFormTest {
    private static final String AGAIN = "/console/again";
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final Api api;
    private final TestBrowser browser;
    private final String course = Api.newId("course");
    private final String student = Api.newId("student");
    private final String enroll = "/console/courses/%s/enroll".formatted(course);

    KeptFormTest(@LocalServerPort int port) {
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

    @Test
    void the_input_is_shown_after_the_login_and_sent_when_its_person_wants_it() {
        openCourse();

        assertThat(location(browser.submit(enroll, "_csrf", "ended", "page", "course", "note", "two\r\n<b>lines</b>")))
                .isEqualTo(AGAIN);
        HttpResponse<String> asked = browser.open(AGAIN);
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.body()).contains(TestBrowser.LOGIN).doesNotContain("lines", "_csrf");

        assertThat(location(browser.login(TestBrowser.token(TestIssuer.student(student)))))
                .isEqualTo(AGAIN);
        HttpResponse<String> shown = browser.open(AGAIN);
        assertThat(shown.body())
                .contains("action=\"%s\"".formatted(enroll), "name=\"note\"", "&lt;b&gt;lines&lt;/b&gt;", "Send again")
                .doesNotContain("value=\"ended\"", "<b>lines");
        assertThat(enrollment()).isEqualTo(404);

        browser.submit(enroll, "_csrf", csrf(shown), "page", "course", "shownFor", student, "_again", "1");
        assertThat(enrollment()).isEqualTo(200);
        assertThat(browser.open(AGAIN).body()).contains("There is no input to send again");
    }

    @Test
    void a_token_of_an_earlier_session_keeps_the_input_of_a_person_who_is_logged_in() {
        openCourse();
        login(student);

        assertThat(location(browser.submit(enroll, "_csrf", "of an earlier session")))
                .isEqualTo(AGAIN);

        assertThat(browser.open(AGAIN).body()).contains("Send again");
        assertThat(enrollment()).isEqualTo(404);
    }

    @Test
    void discarded_input_is_gone() {
        login(student);
        browser.submit(enroll, "note", "secret");

        String token = csrf(browser.open(AGAIN));
        assertThat(location(browser.submit(AGAIN + "/discard", "_csrf", token))).isEqualTo("/");

        assertThat(browser.open(AGAIN).body()).doesNotContain("secret");
    }

    @Test
    void one_person_does_not_see_the_input_of_another_at_the_same_browser() {
        login(student);
        browser.setCookie(SESSION, "ended");
        browser.submit(enroll, "note", "secret");

        login(Api.newId("student"));

        assertThat(browser.open(AGAIN).body()).doesNotContain("secret", "Send again");
        assertThat(browser.open(AGAIN).body()).contains("There is no input to send again");
    }

    /* A session that a page of another origin begins would replace the person's own, with input that is not the person's. */
    @Test
    void a_form_of_another_origin_is_not_kept_and_begins_no_session() {
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
        }
        assertThat(browser.open(AGAIN).body()).contains("There is no input to send again");
    }

    @Test
    void a_form_has_a_largest_size() {
        String tooLarge = "x".repeat(64 * 1024);

        assertThat(browser.submit(enroll, "note", tooLarge).statusCode()).isEqualTo(413);
        assertThat(location(browser.submit(enroll, "note", tooLarge.substring(100))))
                .isEqualTo(AGAIN);
    }

    @Test
    void a_script_of_the_page_is_led_to_the_kept_input() {
        HttpResponse<String> answer = browser.post(
                enroll, ConsoleClient.form("note", "typed"), "HX-Request", "true", "Sec-Fetch-Site", "same-origin");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.headers().firstValue("HX-Redirect")).hasValue(AGAIN);
    }
}
