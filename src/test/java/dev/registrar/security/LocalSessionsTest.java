package dev.registrar.security;

import static dev.registrar.security.TestBrowser.csrf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Sessions in the mode {@code local}, which has no login: they hold the tokens of forms. */
@ServiceTest
class LocalSessionsTest {
    private final TestBrowser browser;

    LocalSessionsTest(@LocalServerPort int port) {
        this.browser = new TestBrowser(port);
    }

    @Test
    void input_without_a_session_is_shown_and_changes_nothing() {
        HttpResponse<String> lost = browser.submit("/console/role", "_csrf", "ended", "role", "operator");

        assertThat(lost.statusCode()).isEqualTo(403);
        assertThat(lost.body()).contains("This was not saved", "operator");
        assertThat(browser.cookie("registrar-role")).isEmpty();

        browser.submit("/console/role", "_csrf", csrf(browser.open("/")), "role", "operator");
        assertThat(browser.cookie("registrar-role")).hasValue("operator");
        assertThat(browser.open("/console/no-logout").body()).doesNotContain("/console/logout");
    }
}
