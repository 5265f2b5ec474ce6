package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import dev.registrar.subscription.LiveFeed;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WindowType;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * More open tabs with live pages than a browser opens connections to a server: six over HTTP/1.1. The service notices a
 * closed stream at a heartbeat.
 */
@ServiceTest
@BrowserTest
@DirtiesContext
@TestPropertySource(properties = "registrar.live.heartbeat=500ms")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenTabsInBrowserTest {
    private static final int TABS = 8;

    @AutoClose
    private final ConsoleBrowser browser;

    private final Api api;
    private final LiveFeed feed;

    HiddenTabsInBrowserTest(@LocalServerPort int port, @Autowired LiveFeed feed) {
        this.browser = ConsoleBrowser.of(port);
        this.api = new Api(port);
        this.feed = feed;
    }

    @Test
    void hidden_tabs_leave_connections_to_others_and_catch_up_when_they_are_shown() {
        String page = "/console/courses/" + api.course(5);
        browser.be("Student", api.student());
        browser.open(page).waitForText("0 of 5 seats taken");
        String first = browser.driver().getWindowHandle();
        for (int tab = 1; tab < TABS; tab++) {
            browser.driver().switchTo().newWindow(WindowType.TAB);
            browser.open(page).waitForText("0 of 5 seats taken");
        }
        await().untilAsserted(() -> assertThat(feed.listeners()).isEqualTo(1));

        browser.click("Enroll").waitForText("You are enrolled").waitForText("1 of 5 seats taken");

        browser.driver().switchTo().window(first);
        browser.driver().executeCdpCommand("Page.bringToFront", Map.of());
        browser.waitForText("1 of 5 seats taken");
        assertThat(browser.errors()).isEmpty();
    }
}
