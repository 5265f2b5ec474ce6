package dev.registrar.security.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.browser.BrowserTest;
import dev.registrar.http.ServiceTest;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Pages of other origins make the browser send writes to the service on the same machine. Each page first writes to the
 * service without its protection.
 */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DirtiesContext
@TestPropertySource(properties = "registrar.security.allowed-hosts=office.example")
class CrossSiteWritesTest {
    @AutoClose
    private final Scene scene;

    CrossSiteWritesTest(@LocalServerPort int port) {
        this.scene = Scene.of(port);
    }

    @ParameterizedTest
    @EnumSource
    void a_page_on_another_port_of_this_machine_writes_nothing(WritingPage page) {
        expectRefusal(page, "localhost", "localhost");
    }

    /* The browser sends no Sec-Fetch-Site to a name with plain HTTP: Origin alone gives the page away. */
    @ParameterizedTest
    @EnumSource
    void a_page_of_another_site_writes_nothing_by_an_allowed_plain_http_name(WritingPage page) {
        HttpHead refused = expectRefusal(page, "attacker.example", "office.example");

        assertThat(refused.field("Sec-Fetch-Site")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "127.0.0.1",
                "0.0.0.0",
                "0",
                "2130706433",
                "localhost.",
                "[::ffff:127.0.0.1]",
                "attacker.localhost",
                "attacker.example",
                "office.example.",
                "localhost.attacker.example"
            })
    void a_form_writes_nothing_by_any_name_of_this_machine(String name) {
        expectRefusal(WritingPage.FORM, "attacker.example", name);
    }

    @Test
    void a_page_on_another_port_of_this_machine_resets_no_view() {
        String path = "/api/admin/projections/courses/reset";

        assertThat(attack(WritingPage.BEACON, "localhost", "localhost", path, scene.unprotected())
                        .status())
                .isEqualTo(200);
        assertThat(attack(WritingPage.BEACON, "localhost", "localhost", path, scene.service())
                        .status())
                .isEqualTo(403);
    }

    /* Returns the request that was refused. */
    private HttpHead expectRefusal(WritingPage page, String from, String name) {
        long before = scene.head();
        assertThat(attack(page, from, name, closing(), scene.unprotected()).status())
                .as("without protection")
                .isEqualTo(200);
        // One event by the test, which defined the course, and one by its script, which closed it.
        assertThat(scene.head()).as("without protection").isEqualTo(before + 2);
        String path = closing();
        long defined = scene.head();

        Relay.Exchange refused = attack(page, from, name, path, scene.service());

        assertThat(refused.status()).isEqualTo(403);
        assertThat(scene.head()).isEqualTo(defined);
        return refused.request();
    }

    private String closing() {
        return "/api/courses/%s/close".formatted(scene.api().course(1));
    }

    /* Shows a page of the attacker's site under one name, which calls the target under another. */
    private Relay.Exchange attack(WritingPage page, String from, String name, String path, Relay target) {
        page.put(scene.site(), "http://%s:%s%s".formatted(name, target.port(), path));
        scene.browser().show("http://%s:%s%s".formatted(from, scene.site().port(), WritingPage.PATH));
        return await().until(() -> exchange(target, path), Optional::isPresent).orElseThrow();
    }

    private static Optional<Relay.Exchange> exchange(Relay target, String path) {
        return target.exchanges().stream()
                .filter(exchange -> exchange.path().equals(path))
                .findFirst();
    }
}
