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
    void a_rush_on_the_front_page_ends_with_ten_and_stays() {
        try (ConsoleBrowser browser = ConsoleBrowser.of(port)) {
            // The front page may already show an earlier rush, which is over.
            browser.open("/")
                    .click("Start the rush")
                    .waitUntilGone("The last rush")
                    .waitForText("The rush is over");

            assertThat(browser.path()).isEqualTo("/");
            assertThat(browser.count(".racers .in")).isEqualTo(20);
            assertThat(browser.count(".racers .out")).isEqualTo(150);
            assertThat(browser.count(".racers .over")).isEqualTo(30);
            assertThat(browser.errors()).isEmpty();
            checkLooks(browser, "rush-front");

            browser.open("/").waitForText("The last rush").waitForText("10 enrolled in 10 seats");
            checkLooks(browser, "rush-last");
            assertThat(browser.count(".racers .over")).isEqualTo(30);

            browser.click("What happened").waitForPath("/console/rush/").waitForText("Run another rush");
            checkLooks(browser, "rush-page");
            assertThat(browser.count("h1")).isEqualTo(1);
            assertThat(browser.errors()).isEmpty();
        }
    }

    private static void checkLooks(ConsoleBrowser browser, String name) {
        SoftAssertions checks = new SoftAssertions();
        for (Look look : Look.values()) {
            browser.look(look);
            checks.assertThat(browser.violations()).as("%s violates", look).isEmpty();
            checks.assertThat(browser.wider()).as("%s is wider", look).isEmpty();
            browser.screenshot(name);
        }
        checks.assertAll();
        browser.look(Look.DESK_LIGHT);
    }
}
