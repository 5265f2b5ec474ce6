package dev.registrar.security.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.browser.BrowserTest;
import dev.registrar.http.ServiceTest;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Pages of other origins against the web console. Each attack first succeeds without the service's protection. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleAttacksTest {
    @AutoClose
    private final Scene scene;

    ConsoleAttacksTest(@LocalServerPort int port) {
        this.scene = Scene.of(port);
    }

    @Test
    void no_page_of_another_origin_frames_the_console() {
        assertThat(framed(scene.unprotected())).as("without protection").contains("Course enrollment");
        assertThat(framed(scene.service())).doesNotContain("Course enrollment");
    }

    private String framed(Relay target) {
        scene.site().page("/frame", "<iframe src='http://localhost:%s/'></iframe>".formatted(target.port()));
        scene.browser().show("http://localhost:%s/frame".formatted(scene.site().port()));
        scene.browser().driver().switchTo().frame(0);
        return scene.browser().driver().findElement(By.tagName("body")).getText();
    }

    /* The attacker's site is another port of the same host: the browser sends the cookies of the session. */
    @Test
    void no_form_of_another_origin_enrolls_a_student() {
        String student = scene.api().student();
        String course = scene.api().course(1);
        choose(student);
        String token = token(course);
        long before = scene.head();

        post(scene.unprotected(), course, student, token);
        await().until(() -> scene.head() == before + 1);
        String other = scene.api().student();
        choose(other);
        long registered = scene.head();

        // Neither with the token, which an attacker does not know, nor without.
        assertThat(post(scene.service(), scene.api().course(1), other, token)).contains("403");
        assertThat(post(scene.unprotected(), scene.api().course(1), other, "guessed"))
                .contains("403");
        assertThat(scene.head()).as("two courses were defined").isEqualTo(registered + 2);
    }

    private void choose(String student) {
        scene.api().get("/api/students?limit=1").expect(200);
        scene.api().get("/api/courses?limit=1").expect(200);
        scene.browser().show("http://localhost:%s/".formatted(scene.service().port()));
        var page = scene.browser().driver();
        page.findElement(By.name("student")).clear();
        page.findElement(By.name("student")).sendKeys(student);
        page.findElement(By.cssSelector("#role button")).click();
    }

    private String token(String course) {
        scene.browser()
                .show("http://localhost:%s/console/courses/%s"
                        .formatted(scene.service().port(), course));
        return Objects.requireNonNull(
                scene.browser().driver().findElement(By.name("_csrf")).getDomAttribute("value"));
    }

    /* Returns what the browser shows after the attacker's page has sent its form. */
    private String post(Relay target, String course, String student, String token) {
        String url = "http://localhost:%s/console/courses/%s/enroll".formatted(target.port(), course);
        scene.site()
                .page(
                        "/form",
                        "<form method='post' action='%s'><input name='_csrf' value='%s'><input name='shownFor' value='%s'></form><script>document.forms[0].submit()</script>"
                                .formatted(url, token, student));
        scene.browser().show("http://localhost:%s/form".formatted(scene.site().port()));
        await().until(() ->
                !String.valueOf(scene.browser().driver().getCurrentUrl()).endsWith("/form"));
        return scene.browser().driver().findElement(By.tagName("body")).getText();
    }
}
