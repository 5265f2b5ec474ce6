package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openqa.selenium.Keys;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleKeyboardTest {
    private final Api api;

    @AutoClose
    private final ConsoleBrowser browser;

    ConsoleKeyboardTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = ConsoleBrowser.of(port);
    }

    @ParameterizedTest
    @EnumSource(names = {"DESK_LIGHT", "PHONE_DARK"})
    void a_student_enrolls_and_drops_with_the_keyboard_alone(Look look) {
        String student = api.student();
        String course = api.course(1);
        ConsoleScene.awaitViews(api, student, course);
        browser.look(look).be("Student", student).open("/console/courses/" + course);

        browser.tabTo("Enroll in Mathematics");
        assertThat(browser.showsFocus()).isTrue();
        browser.press(Keys.ENTER).waitForText("You are enrolled.");
        browser.tabTo("Drop Mathematics").press(Keys.SPACE).waitForText("What will happen");
        browser.tabTo("Drop the course").press(Keys.SPACE).waitForText("0 of 1 seat taken");
    }

    @Test
    void the_first_tab_leads_past_the_navigation() {
        browser.open("/").press(Keys.TAB);

        assertThat(browser.focused()).isEqualTo("Skip to the content");
        assertThat(browser.showsFocus()).isTrue();
        browser.press(Keys.ENTER, Keys.TAB);
        assertThat(browser.driver()
                        .executeScript("return document.querySelector('main').contains(document.activeElement)"))
                .isEqualTo(true);
    }

    @Test
    void the_menu_of_a_phone_opens_with_the_keyboard() {
        browser.look(Look.PHONE_LIGHT).be("", "").open("/console/store");
        assertThat(browser.offers("Condition lab")).isFalse();

        browser.tabTo("Menu: Store");
        assertThat(browser.showsFocus()).isTrue();
        browser.press(Keys.ENTER);

        await().until(() -> browser.offers("Condition lab"));
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.wider()).isEmpty();
        browser.screenshot("menu").tabTo("Condition lab").press(Keys.ENTER).waitForPath("/console/lab");
        assertThat(browser.look(Look.DESK_LIGHT).offers("Contention")).isTrue();
        assertThat(browser.offers("Course office")).isTrue();
        assertThat(browser.offers("Menu: Condition lab")).isFalse();
    }

    @Test
    void each_stop_of_the_keyboard_is_visible() {
        browser.look(Look.DESK_DARK).open("/");

        for (int stop = 0; stop < 30; stop++) {
            browser.press(Keys.TAB);
            if (browser.focused().isEmpty()) {
                break;
            }
            assertThat(browser.showsFocus()).as(browser.focused()).isTrue();
        }
    }
}
