package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** A service with an issuer at which its console is not registered. */
@ServiceTest
@DirtiesContext
@Import(TestIssuer.Keys.class)
@TestPropertySource(
        properties = {
            "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + TestIssuer.URL,
            "spring.security.oauth2.resourceserver.jwt.audiences=" + TestIssuer.AUDIENCE
        })
@Tag("thorough")
class NoConsoleLoginTest {
    private final TestBrowser browser;

    NoConsoleLoginTest(@LocalServerPort int port) {
        this.browser = new TestBrowser(port);
    }

    @Test
    void the_front_page_says_so_and_every_other_page_is_closed() {
        HttpResponse<String> front = browser.open("/");
        assertThat(front.statusCode()).isEqualTo(200);
        assertThat(front.body()).contains("No login is configured").doesNotContain(TestBrowser.LOGIN);

        HttpResponse<String> page = browser.open("/console/courses");
        assertThat(page.statusCode()).isEqualTo(403);
        assertThat(page.body()).contains("No login is configured", "<h1");
        assertThat(page.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(browser.open(TestBrowser.LOGIN).statusCode()).isEqualTo(403);
        assertThat(browser.open(TestBrowser.CALLBACK + "?code=x&state=y").statusCode())
                .isEqualTo(403);
        HttpResponse<String> form = browser.submit("/console/courses/x/enroll");
        assertThat(form.statusCode()).isEqualTo(403);
        assertThat(form.body()).doesNotContain(TestBrowser.LOGIN);
    }
}
