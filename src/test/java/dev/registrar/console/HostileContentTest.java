package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.console.ConsolePageList.Shown;
import dev.registrar.http.ServiceTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.json.JsonMapper;

/** Titles, names, types, tags and payloads with scripts and odd characters: no page runs them or breaks. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileContentTest {
    private static final String MARKUP =
            "'\"><img src=no onerror=\"window.name='run'\"><script>window.name='run'</script>[[${7*7}]]";
    private static final String RTL = "\u05D0\u05D1\u202E\u2067 ";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ODD = MARKUP + " \u2069\u202E\uD83D\uDE80 " + "W".repeat(90);

    @AutoClose
    private final ConsoleBrowser browser;

    private final Api api;
    private final ConsoleScene scene;

    HostileContentTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.scene = ConsoleScene.of(api, ODD, ODD, append(api));
        this.browser = ConsoleBrowser.of(port).look(Look.PHONE_LIGHT).be("", scene.student());
    }

    /* The position of an event whose parts are hostile. */
    private static long append(Api api) {
        String text = ODD.replace("\"", "\\\"") + "\\u2028";
        return api.post(
                        "/dcb/append",
                        "{\"events\": {\"type\": \"%1$s\", \"tags\": [\"%1$s\"], \"data\": \"{\\\"long\\\": \\\"%2$s\\\"}\"}}"
                                .formatted(
                                        text, text.replace("\\", "\\\\").replace("\"", "\\\"") + "x".repeat(100_000)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    static List<Shown> pages() {
        return ConsolePageList.PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_page_runs_no_script_of_its_content_and_keeps_its_width(Shown page) {
        browser.open(scene.path(page.template()));

        assertThatPageIsSound(page.name());
    }

    /* Both values are as long as a student may have them. */
    @Test
    void the_office_shows_a_long_name_and_an_address_with_a_script_as_text() {
        String student = Api.newId("student");
        String name = (RTL + MARKUP + "W".repeat(200)).substring(0, 200);
        String address =
                "\u202E<script>window.name='run'</script><img/src=no/onerror=alert(1)>%s@x.de".formatted(student);
        address = "W".repeat(254 - address.length()) + address;
        api.post("/api/students", JSON.writeValueAsString(Map.of("id", student, "name", name, "email", address)))
                .expect(201);
        api.enroll(student, scene.course()).expect(201);
        ConsoleScene.awaitViews(api, student, scene.course());

        for (String path : List.of(
                "students?search=" + student,
                "students?search=" + URLEncoder.encode(RTL, StandardCharsets.UTF_8),
                "students/" + student,
                "courses/" + scene.course(),
                "courses/%s/history".formatted(scene.course()),
                "courses/%s/students/%s/drop".formatted(scene.course(), student))) {
            browser.open("/console/office/" + path).waitForText(student);
            assertThatPageIsSound(path);
        }
        assertThat(browser.open("/console/office/students/" + student).text()).contains(address);
        assertThat(browser.count("h1 > bdi, p > bdi")).isEqualTo(2);
    }

    @Test
    void refused_forms_of_the_office_show_hostile_input_as_text() {
        browser.open("/console/office/define")
                .fill("Title", ODD.repeat(3))
                .fill("Seats", ODD)
                .fill("Id of the course", ODD)
                .fill("Required courses", ODD)
                .fill("Time zone", ODD)
                .click("Define the course")
                .waitForText("Nothing was changed yet.");
        assertThatPageIsSound("define");
        assertThat(browser.field("Seats").getDomProperty("value")).isEqualTo(ODD);

        browser.open("/console/office/register")
                .fill("Name", ODD.repeat(3))
                .fill("E-mail address", ODD)
                .fill("Id of the student", ODD)
                .click("Register the student")
                .waitForText("Nothing was changed yet.");
        assertThatPageIsSound("register");

        browser.open("/console/office/courses/" + scene.course())
                .fill("Id of the student", ODD)
                .click("Enroll")
                .waitForText("is not the id of a student.");
        assertThatPageIsSound("enroll");

        browser.open("/console/office/import")
                .fill(
                        "Lines",
                        "id,title,capacity\n%s,\"%s\",%s".formatted(ODD, ODD.replace("\"", "\"\""), "9".repeat(320)))
                .click("Import the lines")
                .waitForText("The file has errors");
        assertThatPageIsSound("import");
        assertThat(browser.field("Lines").getDomProperty("value")).asString().contains(MARKUP.substring(0, 60));
    }

    private void assertThatPageIsSound(String page) {
        assertThat(isAttacked()).as(page).isFalse();
        assertThat(browser.wider()).as(page).isEmpty();
        assertThat(browser.text()).as(page).doesNotContain("[[49]]");
    }

    @Test
    void a_page_that_does_not_escape_its_content_would_run_it() {
        browser.driver()
                .get("data:text/html,"
                        + URLEncoder.encode(ODD, StandardCharsets.UTF_8).replace("+", "%20"));

        assertThat(isAttacked()).isTrue();
    }

    private boolean isAttacked() {
        boolean ran = "run".equals(browser.driver().executeScript("return window.name"));
        browser.driver().executeScript("window.name = ''");
        return ran || browser.count("img[src=no]") > 0;
    }
}
