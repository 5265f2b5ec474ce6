package dev.registrar.security.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.http.ServiceTest;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Pages of other origins try to read from the service on the same machine. Each page first reads from the service
 * without its protection.
 */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossSiteReadsTest {
    /** Reports which event each kind of element fires, in the order of their names. */
    private static final String PROBING = """
            <body>
            <script>
              let elements = {
                audio: ['audio', {src: '<URL>'}],
                embed: ['embed', {src: '<URL>'}],
                frame: ['iframe', {src: '<URL>'}],
                image: ['img', {src: '<URL>'}],
                module: ['link', {rel: 'modulepreload', href: '<URL>'}],
                object: ['object', {data: '<URL>'}],
                prefetch: ['link', {rel: 'prefetch', href: '<URL>'}],
                preload: ['link', {rel: 'preload', as: 'fetch', href: '<URL>'}],
                script: ['script', {src: '<URL>'}],
                style: ['link', {rel: 'stylesheet', href: '<URL>'}]};
              let fired = Object.entries(elements).map(([kind, [name, attributes]]) => new Promise(done => {
                let element = Object.assign(document.createElement(name), attributes);
                element.onload = element.onloadedmetadata = () => done(kind + ': load');
                element.onerror = () => done(kind + ': error');
                document.body.appendChild(element);
              }));
              Promise.all(fired).then(events => { document.title = events.join(', ') });
            </script>
            """;

    @AutoClose
    private final Scene scene;

    CrossSiteReadsTest(@LocalServerPort int port) {
        this.scene = Scene.of(port);
    }

    @ParameterizedTest
    @CsvSource({"FETCH, localhost", "FETCH, attacker.example", "REQUEST_OF_SCRIPT, localhost"})
    void a_page_of_another_origin_reads_no_answer(ReadingPage page, String name) {
        String student = scene.api().student();
        String path = path(student);

        assertThat(page.read(scene.browser(), scene.site(), name, url(scene.unprotected(), path), ""))
                .as("without protection")
                .startsWith("read")
                .contains(student + "@example.org");
        assertThat(page.read(scene.browser(), scene.site(), name, url(scene.service(), path), ""))
                .startsWith("unreadable")
                .doesNotContain(student);
    }

    @Test
    void a_page_of_another_origin_listens_to_no_event() {
        long before = scene.head();
        String student = scene.api().student();
        String path = "/dcb/events?after=" + before;

        assertThat(ReadingPage.EVENT_SOURCE.read(
                        scene.browser(), scene.site(), "localhost", url(scene.unprotected(), path), ""))
                .as("without protection")
                .contains(student + "@example.org");
        assertThat(ReadingPage.EVENT_SOURCE.read(
                        scene.browser(), scene.site(), "localhost", url(scene.service(), path), ""))
                .isEqualTo("unreadable");
    }

    /* The browser asks with OPTIONS whether it may send JSON, and sends no POST. */
    @Test
    void a_page_of_another_origin_sends_no_json() {
        String body = "{\"id\": \"%s\", \"title\": \"Mathematics\", \"capacity\": 1}";
        long before = scene.head();

        assertThat(post(body, scene.unprotected())).as("without protection").isEqualTo("read: 201");
        assertThat(scene.head()).isEqualTo(before + 1);
        assertThat(post(body, scene.service())).startsWith("unreadable");
        assertThat(scene.head()).isEqualTo(before + 1);
        assertThat(scene.service().exchanges())
                .filteredOn(exchange -> exchange.path().equals("/api/courses"))
                .singleElement()
                .satisfies(asked -> assertThat(asked.request().start()).startsWith("OPTIONS"));
    }

    private String post(String body, Relay target) {
        return ReadingPage.POST_OF_JSON.read(
                scene.browser(),
                scene.site(),
                "localhost",
                url(target, "/api/courses"),
                body.formatted(Api.newId("course")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<iframe src='<URL>'></iframe>", "<embed src='<URL>'>"})
    void a_page_of_another_origin_shows_no_answer_in_a_frame(String element) {
        String student = scene.api().student();
        String path = path(student);

        assertThat(framed(element, url(scene.unprotected(), path)))
                .as("without protection")
                .contains(student + "@example.org");
        assertThat(framed(element, url(scene.service(), path))).doesNotContain(student);
    }

    private String framed(String element, String url) {
        scene.site().page("/frame", element.replace("<URL>", url));
        scene.browser().show("http://localhost:%s/frame".formatted(scene.site().port()));
        List<WebElement> elements = scene.browser().driver().findElements(By.cssSelector("iframe, embed"));
        try {
            scene.browser().driver().switchTo().frame(elements.getFirst());
            return String.valueOf(scene.browser().driver().getPageSource());
        } finally {
            scene.browser().driver().switchTo().defaultContent();
        }
    }

    /* A prefetched link and an object fire "load" or "error", which depends on the status of the answer. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "attacker.example"})
    void a_page_of_another_origin_does_not_learn_whether_a_student_exists(String name) {
        String existing = path(scene.api().student());
        String unknown = path(Api.newId("student"));

        assertThat(loaded(name, scene.unprotected(), existing))
                .as("without protection")
                .contains("prefetch: load");
        assertThat(loaded(name, scene.unprotected(), unknown))
                .as("without protection")
                .contains("prefetch: error");
        assertThat(loaded(name, scene.service(), existing))
                .contains("prefetch: error")
                .isEqualTo(loaded(name, scene.service(), unknown));
    }

    private String loaded(String name, Relay target, String path) {
        scene.site().page("/probing", PROBING.replace("<URL>", url(target, path)));
        scene.browser().show("http://%s:%s/probing".formatted(name, scene.site().port()));
        return await().until(scene.browser()::title, title -> title.startsWith("audio"));
    }

    private static String path(String student) {
        return "/api/students/%s?consistency=strong".formatted(student);
    }

    private static String url(Relay target, String path) {
        return "http://localhost:%s%s".formatted(target.port(), path);
    }
}
