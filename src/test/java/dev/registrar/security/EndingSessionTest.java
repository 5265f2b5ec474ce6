package dev.registrar.security;

import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.net.http.HttpResponse;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * A form is sent while another tab logs out. Either the form comes first and is carried out, or the logout does and the
 * form changes nothing. The session ends at any point between the filters and the operation.
 */
@ServiceWithIssuerTest
@Tag("thorough")
class EndingSessionTest {
    private static final int ROUNDS = 60;
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final int port;
    private final Api api;
    private final String course = Api.newId("course");
    private final String page = "/console/courses/" + course;

    EndingSessionTest(@LocalServerPort int port) {
        this.port = port;
        this.api = new Api(port);
    }

    private String register() {
        String student = Api.newId("student");
        api.post(
                        "/api/students",
                        "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"%s@example.org\"}"
                                .formatted(student, student),
                        OFFICE)
                .expect(201);
        return student;
    }

    private int enrollment(String student) {
        return api.get("/api/courses/%s/students/%s?consistency=strong".formatted(course, student), OFFICE)
                .status();
    }

    private HttpResponse<String> enroll(TestBrowser browser, String token, String student) {
        return browser.submit(page + "/enroll", "_csrf", token, "page", "course", "shownFor", student);
    }

    @Test
    void a_form_beside_a_logout_is_carried_out_once_or_changes_nothing() throws Exception {
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 60}".formatted(course), OFFICE)
                .expect(201);
        try (ExecutorService tabs = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                String student = register();
                String login = TestBrowser.token(TestIssuer.student(student));
                TestBrowser tab = new TestBrowser(port);
                tab.login(login);
                String token = csrf(tab.open("/"));
                TestBrowser other = new TestBrowser(port);
                other.setCookie(
                        TestBrowser.SESSION, tab.cookie(TestBrowser.SESSION).orElseThrow());
                CyclicBarrier start = new CyclicBarrier(2);

                Future<HttpResponse<String>> logout = tabs.submit(() -> {
                    start.await();
                    return other.submit("/console/logout", "_csrf", token);
                });
                Future<HttpResponse<String>> next = tabs.submit(() -> {
                    start.await();
                    return enroll(tab, token, student);
                });

                assertThat(location(logout.get())).isEqualTo("/");
                if (next.get().statusCode() == 403) {
                    assertThat(next.get().body()).contains("This was not saved");
                    assertThat(enrollment(student)).isEqualTo(404);
                    tab.login(login);
                    assertThat(location(enroll(tab, csrf(tab.open("/")), student)))
                            .isEqualTo(page);
                } else {
                    assertThat(location(next.get())).isEqualTo(page);
                }
                assertThat(enrollment(student)).isEqualTo(200);
            }
        }
    }
}
