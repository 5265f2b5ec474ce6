package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.console.ConsolePageList.Shown;
import dev.registrar.http.ServiceTest;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Each page of the console, on a desk and on a phone, in both themes. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsolePagesTest {
    @AutoClose
    private final ConsoleBrowser browser;

    private final ConsoleScene scene;
    private final ConsoleScene hostile;

    ConsolePagesTest(@LocalServerPort int port) {
        this.scene = ConsoleScene.of(new Api(port));
        this.hostile = ConsoleScene.hostile(new Api(port));
        this.browser = ConsoleBrowser.of(port);
        browser.be("", scene.student());
    }

    static List<Shown> pages() {
        return ConsolePageList.PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_page_is_accessible_and_fits_in_each_look(Shown page) {
        SoftAssertions checks = new SoftAssertions();
        for (Look look : Look.values()) {
            browser.look(look);
            if (look.isFirstOfItsSize()) {
                browser.open(scene.path(page.template()));
                checks.assertThat(browser.status()).isEqualTo(page.status());
            }
            checks.assertThat(look.isFirstOfItsSize() ? browser.violations() : browser.violationsByColour())
                    .as("%s violates", look)
                    .isEmpty();
            checks.assertThat(browser.wider()).as("%s is wider", look).isEmpty();
            browser.screenshot(page.name());
        }
        checks.assertThat(errors(page)).isEmpty();
        checks.assertThat(browser.count("h1")).as("headings").isEqualTo(1);
        checks.assertThat(browser.count("main")).as("main parts").isEqualTo(1);
        checks.assertThat(browser.title()).endsWith(" · Registrar").hasSizeGreaterThan(12);
        checks.assertAll();
    }

    /* A browser reports the status of an answer as an error, too. */
    private List<String> errors(Shown page) {
        return browser.errors().stream()
                .filter(error -> page.status() == 200 || !error.contains("status of " + page.status()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_page_runs_no_script_of_its_content_and_keeps_its_width(Shown page) {
        browser.look(Look.PHONE_LIGHT).open(hostile.path(page.template()));

        assertThat(browser.driver().executeScript("return window.name")).isNotEqualTo("run");
        assertThat(browser.count("img[src=no]")).isZero();
        assertThat(browser.wider()).isEmpty();
        assertThat(errors(page)).isEmpty();
    }
}
