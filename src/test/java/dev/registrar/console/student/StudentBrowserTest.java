package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The pages of a student, used in a browser as a person uses them. */
@BrowserTest
@ServiceTest
class StudentBrowserTest {
    private final Api api;
    private final int port;

    StudentBrowserTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.port = port;
    }

    private String course(String title, int capacity) {
        String id = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"%s\", \"capacity\": %s}".formatted(id, title, capacity))
                .expect(201);
        return id;
    }

    /* The catalogue, once its views contain what the API wrote. */
    private ConsoleBrowser openAs(String student, ConsoleBrowser browser) {
        api.get("/api/courses?limit=1").expect(200);
        api.get("/api/students/" + student).expect(200);
        api.get("/api/students/%s/waiting-lists".formatted(student)).expect(200);
        api.get("/api/students/%s/courses".formatted(student)).expect(200);
        return browser.open("/console/courses")
                .fill("Id of the student", student)
                .click("Choose the student")
                .waitForText("You are Ann");
    }

    @Test
    void a_student_searches_enrolls_and_drops() {
        String word = Api.newId("Astronomy");
        course(word, 2);
        String other = Api.newId("Astrology");
        course(other, 2);
        String student = api.student();
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            openAs(student, browser).fill("Search in titles", "Astr").waitForText(other);
            browser.fill("Search in titles", word.toUpperCase(Locale.ROOT)).waitUntilGone(other);
            assertThat(browser.path()).contains("search=ASTRONOMY");
            browser.click("Enroll", word)
                    .waitForText("You are enrolled in %s.".formatted(word))
                    .waitForText("1 of 2 seats taken");

            browser.click("My courses")
                    .waitForPath("/console/my")
                    .waitForText(word)
                    .click("Drop", word)
                    .waitForText("Drop %s?".formatted(word))
                    .click("Drop the course");

            browser.waitForText("You have dropped %s.".formatted(word))
                    .waitForText("You are not enrolled in any course.");
        }
    }

    @Test
    void the_notice_of_a_form_has_the_focus() {
        String course = course("Rhetoric", 2);
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            openAs(api.student(), browser).open("/console/courses/" + course).click("Enroll");
            browser.waitForText("You are enrolled in Rhetoric.");

            assertThat(browser.driver().switchTo().activeElement().getText()).contains("You are enrolled in Rhetoric.");
        }
    }

    @Test
    void a_page_that_the_browser_has_kept_is_loaded_again_unless_something_was_typed() {
        String restore =
                "window.kept = true; dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})); return true";
        String course = course("Poetics", 2);
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            openAs(api.student(), browser).open("/console/courses/" + course);

            browser.driver().executeScript(restore);
            await().ignoreExceptions()
                    .until(() -> Boolean.TRUE.equals(browser.driver()
                            .executeScript("return document.readyState === 'complete' && window.kept === undefined")));

            browser.driver()
                    .executeScript("const field = document.createElement('input'); field.value = 'typed';"
                            + " document.querySelector('form[method=post]').append(field);");
            browser.driver()
                    .executeScript("sessionStorage.removeItem('left');"
                            + " addEventListener('beforeunload', () => sessionStorage.setItem('left', 'yes'));");
            browser.driver().executeScript(restore);
            // A reload would have begun in the same task as the event.
            assertThat(browser.driver().executeScript("return sessionStorage.getItem('left')"))
                    .isNull();
            assertThat(browser.driver()
                            .executeAsyncScript(
                                    "const done = arguments[0]; fetch(location.href).then(() => done(window.kept))"))
                    .isEqualTo(true);
        }
    }

    private static String spoken(ConsoleBrowser browser) {
        return Objects.requireNonNull(browser.driver()
                .findElement(By.cssSelector("body > p[role=status]"))
                .getAttribute("textContent"));
    }

    @Test
    void two_browsers_see_each_others_enrollments_while_they_are_open() {
        String title = Api.newId("Dance");
        String course = course(title, 2);
        String ann = api.student();
        String bob = api.student();
        try (ConsoleBrowser first = ConsoleBrowser.of(port);
                ConsoleBrowser second = ConsoleBrowser.of(port)) {
            openAs(ann, first).open("/console/courses/" + course).waitForText("0 of 2 seats taken");
            openAs(bob, second).open("/console/courses?search=" + title).waitForText("0 of 2 seats taken");

            first.click("Enroll").waitForText("You are enrolled in %s.".formatted(title));
            second.waitForText("1 of 2 seats taken");
            second.click("Enroll", title).waitForText("2 of 2 seats taken");
            first.waitForText("2 of 2 seats taken");

            assertThat(first.errors()).isEmpty();
            assertThat(second.errors()).isEmpty();
        }
    }

    @Test
    void a_student_who_waits_gets_the_freed_seat_without_a_reload() {
        String title = Api.newId("Economics");
        String course = course(title, 1);
        String ann = api.student();
        String bob = api.student();
        api.enroll(ann, course).expect(201);
        try (ConsoleBrowser first = ConsoleBrowser.of(port);
                ConsoleBrowser second = ConsoleBrowser.of(port)) {
            openAs(ann, first).open("/console/courses/" + course).waitForText("You are enrolled.");
            openAs(bob, second)
                    .open("/console/courses/" + course)
                    .click("Join the waiting list")
                    .waitForText("place 1 of 1");
            first.waitForText("1 waiting");

            first.click("Drop").waitForText("The seat goes to the first student on the waiting list");
            assertThat(second.offers("Drop")).isFalse();
            first.click("Drop the course").waitForText("You have dropped %s.".formatted(title));

            second.waitForText("You are enrolled.")
                    .waitUntilGone("1 waiting")
                    .waitUntilGone("You are on the waiting list");
            await().untilAsserted(() -> assertThat(spoken(second)).isEqualTo("You are enrolled."));
            assertThat(second.offers("Drop")).isTrue();
            assertThat(second.errors()).isEmpty();
        }
    }

    @Test
    void a_page_names_the_zone_of_its_times() {
        String course = course("Geodesy", 2);
        String student = api.student();
        api.enroll(student, course).expect(201);
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            browser.driver()
                    .executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", "Pacific/Auckland"));
            openAs(student, browser).open("/console/my").waitForText("Times are in Pacific/Auckland.");

            assertThat(browser.open("/console/courses?search=nothing-like-this").text())
                    .doesNotContain("Times are in");
        }
        try (ConsoleBrowser browser = ConsoleBrowser.withoutScripts(port)) {
            openAs(student, browser).open("/console/my").waitForText(" UTC");

            assertThat(browser.text()).doesNotContain("Times are in");
        }
    }

    /* In an inline element, the title would end its own isolation, and the question mark would stand before it. */
    @Test
    void controls_of_direction_in_a_title_do_not_turn_the_text_after_it() {
        String course = course("Optics \u2069\u202Eabc", 2);
        String student = api.student();
        api.enroll(student, course).expect(201);
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            openAs(student, browser).open("/console/courses/%s/drop".formatted(course));

            assertThat(browser.driver().executeScript("""
                            const title = document.querySelector('h1 bdi');
                            const after = document.createRange();
                            after.selectNodeContents(title.nextSibling);
                            return after.getBoundingClientRect().left >= title.getBoundingClientRect().right - 1;
                            """)).isEqualTo(true);
        }
    }
}
