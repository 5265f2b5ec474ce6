package dev.registrar.security.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.WindowType;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** What a person sees whose login ends in the middle of a form, or on a live page. */
@ServiceTest
@BrowserTest
@DirtiesContext
@TestPropertySource(properties = "registrar.demo-login=true")
class LostFormInBrowserTest {
    private static final String SESSION = "registrar-session";
    private static final String REGISTER = "/console/office/register";
    private static final String DEFINE = "/console/office/define";
    private static final String IMPORT = "/console/office/import";
    private static final String ENDED = "Your login had ended, so nothing was changed.";
    private static final String ZONE = "Time zone of both times";

    private final Api api;
    private final DemoLogin login;
    private final String[] office;
    private final ConsoleBrowser browser;

    @Autowired
    LostFormInBrowserTest(@LocalServerPort int port, DemoLogin login) {
        this.api = new Api(port);
        this.login = login;
        this.office = DemoLoginTest.basic("office", login.password());
        this.browser = ConsoleBrowser.of(port);
    }

    @AfterEach
    void close() {
        browser.close();
    }

    private void signIn(String name) {
        DemoConsoleTest.signIn(browser, name, login.password());
    }

    private void openAsOffice(String page) {
        browser.open(page);
        signIn("office");
        browser.waitForPath(page);
    }

    private void endSession() {
        Cookie session = Objects.requireNonNull(browser.driver().manage().getCookieNamed(SESSION));
        assertThat(session.isHttpOnly()).isTrue();
        browser.driver().manage().deleteCookieNamed(SESSION);
    }

    /* Sends what is filled in, after the end of the session. */
    private void lose(String button) {
        endSession();
        browser.click(button).waitForText("This was not saved").waitForText("This tab keeps your input");
    }

    private void openAgain(String page) {
        browser.click("Open the page again");
        signIn("office");
        await().untilAsserted(() -> assertThat(browser.path()).isEqualTo(page));
        browser.waitForText(ENDED);
    }

    private String value(String label) {
        return String.valueOf(browser.field(label).getDomProperty("value"));
    }

    private int registration(String student) {
        return api.get("/api/students/%s?consistency=strong".formatted(student), office)
                .status();
    }

    private String loseRegistration() {
        String student = Api.newId("student");
        openAsOffice(REGISTER);
        browser.fill("Name", "Zoë").fill("E-mail address", student + "@example.org");
        browser.fill("Id of the student", student).choose("Tier", "master");
        lose("Register the student");
        assertThat(registration(student)).isEqualTo(404);
        return student;
    }

    @Test
    void a_session_that_ends_in_the_middle_of_a_form_loses_no_input() {
        String student = loseRegistration();

        openAgain(REGISTER);
        assertThat(value("Name")).isEqualTo("Zoë");
        assertThat(value("Tier")).isEqualTo("master");
        assertThat(registration(student)).isEqualTo(404);
        browser.click("Register the student");

        await().untilAsserted(() -> assertThat(registration(student)).isEqualTo(200));
        browser.open(REGISTER);
        assertThat(value("Name")).isEmpty();
        assertThat(browser.errors()).noneMatch(error -> error.contains(".js"));
    }

    @Test
    void the_time_zone_of_a_lost_form_stays_in_place_of_the_browsers() {
        openAsOffice(DEFINE);
        assertThat(value(ZONE)).isNotEqualTo("Asia/Tokyo");
        browser.fill("Title", "Latin").fill(ZONE, "Asia/Tokyo");
        lose("Define the course");

        openAgain(DEFINE);

        assertThat(value("Title")).isEqualTo("Latin");
        assertThat(value(ZONE)).isEqualTo("Asia/Tokyo");
    }

    @Test
    void pasted_lines_are_filled_in_although_the_page_has_another_form_of_the_same_address() {
        openAsOffice(IMPORT);
        browser.fill("Lines", "id,title,capacity\nlatin,Latin,");
        lose("Import the lines");

        openAgain(IMPORT);

        assertThat(value("Lines")).isEqualTo("id,title,capacity\nlatin,Latin,");
        browser.click("Import the lines").waitForText("Send the lines again").fill("Lines", "id,title,capacity\nx,y,1");
        lose("Import the lines");
        openAgain(IMPORT);
        assertThat(value("Lines")).isEqualTo("id,title,capacity\nx,y,1");
    }

    @Test
    void a_form_on_a_page_that_answered_one_leads_back_to_the_page() {
        String course = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), office)
                .expect(201);
        String page = "/console/office/courses/" + course;
        openAsOffice(page);
        browser.fill("Seats", "many").click("Change the seats").waitForText("Nothing was changed yet");
        assertThat(browser.path()).isEqualTo(page + "/capacity");
        browser.fill("Seats", "7");
        lose("Change the seats");

        openAgain(page);

        assertThat(value("Seats")).isEqualTo("7");
    }

    @Test
    void the_input_of_a_person_is_not_filled_in_for_another_one_or_after_a_logout() {
        loseRegistration();
        browser.open("/console/projections");
        signIn("operator");
        browser.waitForPath("/console/projections").click("Log out").waitForText("Log in");
        openAsOffice(REGISTER);
        assertForgotten();

        browser.click("Log out").waitForText("Log in");
        loseRegistration();
        openAsOffice("/console/office/courses");
        browser.click("Log out").waitForText("Log in");
        openAsOffice(REGISTER);
        assertForgotten();
    }

    @Test
    void the_input_of_a_person_is_not_filled_in_after_a_logout_in_another_tab() {
        loseRegistration();
        String first = browser.driver().getWindowHandle();
        browser.driver().switchTo().newWindow(WindowType.TAB);
        openAsOffice(REGISTER);
        browser.click("Log out").waitForText("Log in");

        browser.driver().switchTo().window(first);
        browser.click("Open the page again");
        signIn("office");

        assertForgotten();
    }

    private void assertForgotten() {
        browser.waitForPath(REGISTER);
        assertThat(value("Name")).isEmpty();
        assertThat(browser.driver().executeScript("return sessionStorage.getItem('registrar-form')"))
                .isNull();
    }

    @Test
    void pages_work_in_a_browser_that_keeps_nothing() {
        browser.driver().executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                for (const name of ["sessionStorage", "localStorage"]) {
                  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
                }"""));
        String student = Api.newId("student");
        openAsOffice(REGISTER);
        browser.fill("Name", "Zoë").fill("E-mail address", student + "@example.org");
        browser.fill("Id of the student", student).click("Register the student");
        await().untilAsserted(() -> assertThat(registration(student)).isEqualTo(200));

        browser.click("Log out").waitForText("Log in");

        assertThat(browser.errors()).noneMatch(error -> error.contains(".js"));
    }

    @Test
    void a_live_page_whose_login_has_ended_says_so_and_stops_asking() {
        String course = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), office)
                .expect(201);
        browser.open("/console/courses/" + course);
        signIn("student");
        browser.waitForText("0 of 5 seats taken");
        browser.driver().executeScript("""
                const Source = EventSource;
                window.asked = 0;
                window.EventSource = class extends Source {
                  constructor(url) { super(url); window.asked++; }
                };""");
        String first = browser.driver().getWindowHandle();
        browser.driver().switchTo().newWindow(WindowType.TAB);
        browser.open("/console/my").click("Log out").waitForText("Log in");

        browser.driver().switchTo().window(first);
        browser.driver().executeCdpCommand("Page.bringToFront", Map.of());

        browser.waitForText("Your login has ended, so this page does not change any more.");
        assertThat(asked()).isPositive();
        long asked = asked();
        browser.driver().executeScript("document.dispatchEvent(new Event('visibilitychange'))");
        assertThat(asked()).isEqualTo(asked);
    }

    private long asked() {
        return ((Number) Objects.requireNonNull(browser.driver().executeScript("return window.asked"))).longValue();
    }
}
