package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.console.ConsolePageList.Shown;
import dev.registrar.http.ServiceTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Titles, names, types, tags and payloads with scripts and odd characters: no page runs them or breaks. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileContentTest {
    private static final String MARKUP =
            "'\"><img src=no onerror=\"window.name='run'\"><script>window.name='run'</script>[[${7*7}]]";
    private static final String ODD = MARKUP + " \u2069\u202E\uD83D\uDE80 " + "W".repeat(90);

    @AutoClose
    private final ConsoleBrowser browser;

    private final ConsoleScene scene;

    HostileContentTest(@LocalServerPort int port) {
        Api api = new Api(port);
        this.scene = ConsoleScene.of(api, ODD, ODD, append(api));
        this.browser = ConsoleBrowser.of(port).look(Look.PHONE_LIGHT).be("", scene.student());
    }

    /* The position of an event whose parts are hostile. */
    private static long append(Api api) {
        String text = ODD.replace("\"", "\\\"") + "\\u2028";
        return api.post(
                        "/dcb/append",
                        "{\"events\": {\"type\": \"%1$s\", \"tags\": [\"%1$s\"], \"data\": \"{\\\"long\\\": \\\"%2$s\\\"}\"}}"
                                .formatted(
                                        text, text.replace("\\", "\\\\").replace("\"", "\\\"") + "x".repeat(100_000)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    static List<Shown> pages() {
        return ConsolePageList.PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_page_runs_no_script_of_its_content_and_keeps_its_width(Shown page) {
        browser.open(scene.path(page.template()));

        assertThat(isAttacked()).isFalse();
        assertThat(browser.wider()).isEmpty();
        assertThat(browser.text()).doesNotContain("[[49]]");
    }

    @Test
    void a_page_that_does_not_escape_its_content_would_run_it() {
        browser.driver()
                .get("data:text/html,"
                        + URLEncoder.encode(ODD, StandardCharsets.UTF_8).replace("+", "%20"));

        assertThat(isAttacked()).isTrue();
    }

    private boolean isAttacked() {
        boolean ran = "run".equals(browser.driver().executeScript("return window.name"));
        browser.driver().executeScript("window.name = ''");
        return ran || browser.count("img[src=no]") > 0;
    }
}
