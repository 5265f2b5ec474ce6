package dev.registrar.security;

import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Sessions in the mode {@code local}, which has no login: they hold the tokens of forms. */
@ServiceTest
class LocalSessionsTest {
    private static final String AGAIN = "/console/again";

    private final TestBrowser browser;

    LocalSessionsTest(@LocalServerPort int port) {
        this.browser = new TestBrowser(port);
    }

    @Test
    void input_without_a_session_is_shown_and_sent_again() {
        assertThat(location(browser.submit("/console/role", "_csrf", "ended", "role", "operator")))
                .isEqualTo(AGAIN);
        assertThat(browser.cookie("registrar-role")).isEmpty();

        HttpResponse<String> shown = browser.open(AGAIN);
        assertThat(shown.body()).contains("Send again", "name=\"role\"", "value=\"operator\"");

        browser.submit("/console/role", "_csrf", csrf(shown), "role", "operator", "_again", "1");
        assertThat(browser.cookie("registrar-role")).hasValue("operator");
        assertThat(browser.open(AGAIN).body()).contains("There is no input to send again");
        assertThat(browser.open("/console/no-logout").body()).doesNotContain("/console/logout");
    }
}
