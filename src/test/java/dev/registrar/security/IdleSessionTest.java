package dev.registrar.security;

import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** A session without requests ends: the next page leads to the login, and the next form changes nothing. */
@ServiceWithIssuerTest
@DirtiesContext
@TestPropertySource(properties = {"server.servlet.session.timeout=15s", "server.tomcat.background-processor-delay=1s"})
@Tag("thorough")
class IdleSessionTest {
    /* The live seats of an open page are no requests of their person, and end with the session. */
    @Test
    void an_idle_session_ends_and_the_form_of_its_page_is_not_saved(@LocalServerPort int port) throws IOException {
        TestBrowser browser = new TestBrowser(port);
        browser.login(TestBrowser.token(TestIssuer.student(Api.newId("student"))));
        String stale = csrf(browser.open("/console/courses"));

        try (InputStream seats =
                browser.stream("GET", "/console/live/seats", "").body()) {
            assertThat(new String(seats.readAllBytes(), UTF_8)).contains("the login has ended");
        }

        assertThat(browser.submit("/console/courses/any/enroll", "_csrf", stale, "page", "course")
                        .body())
                .contains("This was not saved");
        assertThat(location(browser.open("/console/my"))).isEqualTo(TestBrowser.LOGIN);
    }
}
