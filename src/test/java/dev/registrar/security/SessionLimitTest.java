package dev.registrar.security;

import static dev.registrar.security.TestBrowser.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The number of sessions is limited, and clients without cookies use up only their part of it. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = "registrar.security.sessions.max=4")
@Tag("thorough")
class SessionLimitTest {
    private final int port;
    private final TestBrowser browser;

    SessionLimitTest(@LocalServerPort int port) {
        this.port = port;
        this.browser = new TestBrowser(port);
    }

    /* A client without cookies begins a session with each page. It takes the room of its own kind only. */
    @Test
    void sessions_that_no_browser_uses_make_room_and_others_are_limited() {
        browser.open("/");
        browser.open("/");
        String session = browser.cookie(SESSION).orElseThrow();
        for (int page = 0; page < 20; page++) {
            assertThat(new TestBrowser(port).open("/").statusCode()).isEqualTo(200);
        }
        browser.open("/");
        assertThat(browser.cookie(SESSION)).hasValue(session);

        for (int other = 0; other < 4; other++) {
            TestBrowser used = new TestBrowser(port);
            used.open("/");
            used.open("/");
        }
        HttpResponse<String> page = new TestBrowser(port).open("/");
        assertThat(page.statusCode()).isEqualTo(503);
        assertThat(page.body()).contains("Too many people", "<h1");
        assertThat(page.headers().firstValue("Retry-After")).isPresent();
        browser.open("/");
        assertThat(browser.cookie(SESSION)).hasValue(session);
    }
}
