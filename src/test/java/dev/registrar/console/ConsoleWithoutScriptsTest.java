package dev.registrar.console;

import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleWithoutScriptsTest {
    private final Api api;

    @AutoClose
    private final ConsoleBrowser browser;

    ConsoleWithoutScriptsTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = ConsoleBrowser.withoutScripts(port);
    }

    @Test
    void a_student_enrolls_waits_leaves_and_drops() {
        String course = api.course(1);
        String first = api.student();
        String second = api.student();
        ConsoleScene.awaitViews(api, first, course);

        browser.be("Student", first).open("/console/courses/" + course);
        browser.click("Enroll").waitForText("You are enrolled.");
        browser.be("Student", second);
        await().until(() -> browser.open("/console/courses/" + course).offers("Join the waiting list"));
        browser.click("Join the waiting list").waitForText("You wait: place 1 of 1.");
        browser.open("/console/my").click("Leave the list").waitForText("You do not wait for any course.");

        browser.be("Student", first).open("/console/my").click("Drop");
        browser.waitForText("What will happen").click("Keep the seat");
        browser.waitForPath("/console/my").click("Drop");
        browser.waitForText("What will happen").click("Drop the course");
        browser.waitForText("You are not enrolled in any course.");
    }

    @Test
    void the_menu_of_a_phone_opens() {
        browser.look(Look.PHONE_DARK).be("", "").open("/console/store").click("Menu: Store");
        browser.click("Contention").waitForPath("/console/contention");
        browser.look(Look.DESK_LIGHT);
    }
}
