package dev.registrar.security;

import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** A session without requests ends: the next page leads to the login, and the next form is kept. */
@ServiceWithIssuerTest
@DirtiesContext
@TestPropertySource(properties = {"server.servlet.session.timeout=15s", "server.tomcat.background-processor-delay=1s"})
class IdleSessionTest {
    private final Api api;
    private final TestBrowser browser;

    IdleSessionTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = new TestBrowser(port);
    }

    /* The live seats of an open page are no requests of their person, and end with the session. */
    private void awaitEndOfSession() throws IOException {
        try (InputStream seats =
                browser.stream("GET", "/console/live/seats", "").body()) {
            assertThat(new String(seats.readAllBytes(), UTF_8)).contains("the login has ended");
        }
    }

    @Test
    void an_idle_session_ends_and_the_form_of_its_page_is_kept() throws IOException {
        String[] office = TestIssuer.person("office", Role.COURSE_OFFICE);
        String course = Api.newId("course");
        String student = Api.newId("student");
        String enroll = "/console/courses/%s/enroll".formatted(course);
        String enrollment = "/api/courses/%s/students/%s?consistency=strong".formatted(course, student);
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), office)
                .expect(201);
        api.post(
                        "/api/students",
                        "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"%s@example.org\"}"
                                .formatted(student, student),
                        office)
                .expect(201);
        String token = TestBrowser.token(TestIssuer.student(student));
        browser.login(token);
        String stale = csrf(browser.open("/console/courses/" + course));

        awaitEndOfSession();

        assertThat(location(browser.submit(enroll, "_csrf", stale, "page", "course", "shownFor", student)))
                .isEqualTo("/console/again");
        assertThat(api.get(enrollment, office).status()).isEqualTo(404);
        assertThat(location(browser.open("/console/my"))).isEqualTo(TestBrowser.LOGIN);

        assertThat(location(browser.login(token))).isEqualTo("/console/again");
        String fresh = csrf(browser.open("/console/again"));
        browser.submit(enroll, "_csrf", fresh, "page", "course", "shownFor", student, "_again", "1");
        assertThat(api.get(enrollment, office).status()).isEqualTo(200);
    }
}
