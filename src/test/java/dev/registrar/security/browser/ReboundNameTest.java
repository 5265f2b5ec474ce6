package dev.registrar.security.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * DNS rebinding: a page's name resolves to the attacker's address first, and to this machine's after that. The browser
 * regards the service as the page's own origin, so that nothing but the header Host gives the page away. Each page
 * first succeeds against the service without its protection.
 */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReboundNameTest {
    private static final String STUDENT =
            "{\"id\": \"%s\", \"name\": \"Grace Hopper\", \"email\": \"%1$s@example.org\"}";

    @AutoClose
    private final Scene scene;

    ReboundNameTest(@LocalServerPort int port) {
        this.scene = Scene.of(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "localhost.attacker.example", "127.0.0.1.attacker.example"})
    void a_page_reads_no_name_of_a_student(String name) {
        String student = Api.newId("student");
        scene.api().post("/api/students", STUDENT.formatted(student)).expect(201);
        String path = "/api/students/%s?consistency=strong".formatted(student);

        assertThat(ReadingPage.FETCH.read(scene.browser(), scene.unprotected(), name, path, ""))
                .as("without protection")
                .contains("Grace Hopper", student + "@example.org");
        assertThat(ReadingPage.FETCH.read(scene.browser(), scene.service(), name, path, ""))
                .contains("\"code\":\"forbidden\"")
                .doesNotContain("Grace", "@example.org");
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "localhost.attacker.example"})
    void a_page_listens_to_no_event(String name) {
        long before = scene.head();
        String student = scene.api().student();
        String path = "/dcb/events?after=" + before;

        assertThat(ReadingPage.EVENT_SOURCE.read(scene.browser(), scene.unprotected(), name, path, ""))
                .as("without protection")
                .contains(student + "@example.org");
        assertThat(ReadingPage.EVENT_SOURCE.read(scene.browser(), scene.service(), name, path, ""))
                .isEqualTo("unreadable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "localhost.attacker.example"})
    void a_page_registers_no_student(String name) {
        long before = scene.head();

        assertThat(register(name, scene.unprotected())).as("without protection").isEqualTo("read: 201");
        assertThat(scene.head()).isEqualTo(before + 1);
        assertThat(register(name, scene.service())).isEqualTo("read: 403");
        assertThat(scene.head()).isEqualTo(before + 1);
    }

    private String register(String name, Relay target) {
        String json = STUDENT.formatted(Api.newId("student"));
        return ReadingPage.POST_OF_JSON.read(scene.browser(), target, name, "/api/students", json);
    }
}
