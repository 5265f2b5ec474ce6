package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.http.ServiceTest;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceTest
@BrowserTest
class RushInBrowserTest {
    private final int port;

    RushInBrowserTest(@LocalServerPort int port) {
        this.port = port;
    }

    @Test
    void a_rush_on_the_front_page_ends_with_ten() {
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            browser.open("/").click("Start the rush").waitForText("The rush is over");

            assertThat(browser.path()).isEqualTo("/");
            assertThat(browser.count(".racers .in")).isEqualTo(20);
            assertThat(browser.count(".racers .out")).isEqualTo(150);
            assertThat(browser.count(".racers .over")).isEqualTo(30);
            SoftAssertions checks = new SoftAssertions();
            for (Look look : Look.values()) {
                browser.look(look);
                checks.assertThat(browser.violations()).as("%s violates", look).isEmpty();
                checks.assertThat(browser.wider()).as("%s is wider", look).isEmpty();
                browser.screenshot("rush");
            }
            checks.assertThat(browser.errors()).isEmpty();
            checks.assertAll();
        }
    }

    @Test
    void a_rush_works_without_scripts() {
        try (ConsoleBrowser browser = ConsoleBrowser.withoutScripts(port)) {
            browser.open("/").click("Start the rush");
            while (browser.offers("Show the present state")) {
                browser.click("Show the present state");
            }

            assertThat(browser.text()).contains("The rush is over", "10 enrolled in 10 seats");
        }
    }
}
