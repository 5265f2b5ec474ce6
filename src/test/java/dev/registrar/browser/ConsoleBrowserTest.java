package dev.registrar.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The fixture sees what is wrong with a page; without these tests, a check that finds nothing would say nothing. */
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleBrowserTest {
    private static final String POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'";

    private static final String GOOD = """
            <!doctype html><html lang="en"><title>Good</title><main><h1>Good</h1>
            <form><label for="n">Name</label> <input id="n" name="n">
            <label>Tier <select name="t"><option>Standard</option><option>Priority</option></select></label>
            <button>Save</button></form>
            <ul><li>Mathematics <a href="?mathematics">Enroll</a></li><li>It's art <a href="?art">Enroll</a></li></ul>
            <a href="?all">Enroll in all</a></main></html>""";

    private static final String BAD = """
            <!doctype html><html><title>Bad</title><main><h1>Bad</h1><input>
            <p style="color: red">A style</p><p><font color="#dddddd">Pale</font></p><script>document.title = 'Run'</script>
            <pre>%s</pre></main></html>""".formatted("x".repeat(1_000));

    private final HttpServer server;

    @AutoClose
    private final ConsoleBrowser browser;

    ConsoleBrowserTest() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        this.browser = ConsoleBrowser.of(server.getAddress().getPort());
    }

    @BeforeAll
    void start() {
        page("/good", GOOD, POLICY);
        page("/bad", BAD, POLICY);
        page(
                "/script",
                "<title>Without</title><main>x</main><script>document.title = 'Run'</script>",
                "img-src 'self'");
        server.start();
    }

    @AfterAll
    void stop() {
        server.stop(0);
    }

    private void page(String path, String html, String policy) {
        server.createContext(path, exchange -> {
            byte[] body = html.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.getResponseHeaders().set("Content-Security-Policy", policy);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @Test
    void a_bad_page_is_found_out() {
        browser.look(Look.PHONE_LIGHT).open("/bad");

        assertThat(browser.violations())
                .anyMatch(line -> line.startsWith("label:"))
                .anyMatch(line -> line.startsWith("html-has-lang:"));
        assertThat(browser.violationsByColour()).anyMatch(line -> line.startsWith("color-contrast:"));
        assertThat(browser.errors())
                .anyMatch(line -> line.contains("inline style"))
                .anyMatch(line -> line.contains("inline script"));
        assertThat(browser.errors()).as("a second time").isEmpty();
        assertThat(browser.wider()).isNotEmpty();
        assertThat(browser.title()).isEqualTo("Bad");
    }

    @Test
    void a_browser_without_scripts_runs_none() {
        assertThat(browser.open("/script").title()).isEqualTo("Run");
        try (ConsoleBrowser without =
                ConsoleBrowser.withoutScripts(server.getAddress().getPort())) {
            without.open("/script");

            assertThat(without.title()).isEqualTo("Without");
            assertThat(without.text()).isEqualTo("x");
            without.open("/good").fill("Name", "Eve").click("Save").waitForPath("/good?n=Eve&t=Standard");
        }
    }
}
