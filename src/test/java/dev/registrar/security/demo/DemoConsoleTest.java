package dev.registrar.security.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.http.ServiceTest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Persons log in to the console with a browser, at the form of the demo login. Pages of another origin attack them: the
 * browser sends these the session as well.
 */
@ServiceTest
@BrowserTest
@DirtiesContext
@TestPropertySource(properties = "registrar.demo-login=true")
class DemoConsoleTest {
    private static final String LOGIN = "/console/login";
    private static final String STUDENT = "ann";
    private static final String PAGE = "/console/my";
    private static final String SHOWN = "My courses";
    private static final String UNPROTECTED = "/unprotected";

    private final Api api;
    private final DemoLogin login;
    private final String[] office;
    private final ConsoleBrowser browser;
    private final int port;
    private final EventStore store;
    private final HttpServer site;
    private volatile String page = "";

    @Autowired
    DemoConsoleTest(@LocalServerPort int port, DemoLogin login, EventStore store) throws IOException {
        this.api = new Api(port);
        this.login = login;
        this.office = DemoLoginTest.basic("office", login.password());
        this.browser = ConsoleBrowser.of(port);
        this.port = port;
        this.store = store;
        this.site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", this::answer);
        site.start();
    }

    @AfterEach
    void close() {
        browser.close();
        site.stop(0);
    }

    private String course() {
        String course = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), office)
                .expect(201);
        api.post(
                "/api/students",
                "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"ann@example.org\"}".formatted(STUDENT),
                office);
        return course;
    }

    private void signIn(String name) {
        signIn(browser, name, login.password());
    }

    /** Fills in the form of the demo login. */
    static void signIn(ConsoleBrowser browser, String name, String password) {
        browser.waitForPath(LOGIN);
        browser.driver().findElement(By.id("username")).sendKeys(name);
        browser.driver().findElement(By.id("password")).sendKeys(password);
        browser.driver()
                .findElement(By.cssSelector("#main button[type=submit]"))
                .click();
    }

    @Test
    void a_student_logs_in_sees_their_pages_and_logs_out() {
        browser.open("/").click("Log in");
        signIn("student");
        browser.waitForText("What you can do here").open("/console/my");
        assertThat(browser.path()).isEqualTo("/console/my");

        browser.open("/console/projections").waitForText("Your roles do not allow this");
        browser.open("/console/my").click("Log out");
        await().untilAsserted(() -> assertThat(browser.path()).isEqualTo("/"));
        await().until(() -> browser.offers("Log in"));

        browser.driver().navigate().back();
        browser.waitForPath(LOGIN);
        assertThat(browser.driver().findElements(By.linkText("My courses"))).isEmpty();
    }

    @Test
    void no_page_of_another_origin_frames_a_page_of_a_person() {
        browser.open(PAGE);
        signIn("student");
        browser.waitForPath(PAGE).waitForText(SHOWN);
        show("<iframe src='%s'></iframe>".formatted(UNPROTECTED));
        assertThat(framed()).as("without protection").contains(SHOWN);

        show("<iframe src='%s'></iframe>".formatted(service(PAGE)));
        assertThat(framed()).doesNotContain(SHOWN);
        browser.driver().switchTo().defaultContent();
        assertLoggedIn();
    }

    @Test
    void a_page_loaded_in_advance_logs_no_person_out_and_writes_nothing() {
        browser.open(PAGE);
        signIn("student");
        browser.waitForPath(PAGE).waitForText(SHOWN);
        String logout = service("/console/logout");
        String course = course();
        Position before = store.head().position();
        show("""
                <link rel=prefetch href='%1$s'><link rel=prerender href='%1$s'>
                <link rel=prefetch as=document href='%2$s'>
                <script type=speculationrules>{"prefetch": [{"urls": ["%1$s", "%2$s"], "eagerness": "immediate"}],
                    "prerender": [{"urls": ["%1$s"], "eagerness": "immediate"}]}</script>
                <img src='%1$s' onerror='document.title += " image"'>
                <script>fetch('%1$s', {mode: 'no-cors', credentials: 'include'})
                    .catch(() => null).finally(() => document.title += ' fetched');</script>
                """.formatted(logout, service("/console/courses/%s/enroll".formatted(course))));

        await().until(() -> Objects.requireNonNull(browser.driver().getTitle()).contains("fetched"));
        await().until(() -> Boolean.TRUE.equals(browser.driver().executeScript("""
                const names = performance.getEntriesByType('resource').map(entry => entry.name);
                return names.filter(name => name === arguments[0]).length > 0;
                """, logout)));
        assertLoggedIn();
        assertThat(store.head().position()).isEqualTo(before);
    }

    private void assertLoggedIn() {
        browser.open(PAGE).waitForText(SHOWN);
        assertThat(browser.path()).isEqualTo(PAGE);
        assertThat(browser.offers("Log out")).isTrue();
    }

    private String service(String path) {
        return "http://localhost:%s%s".formatted(port, path);
    }

    private void show(String html) {
        page = html;
        browser.driver().get("http://localhost:%s/".formatted(site.getAddress().getPort()));
    }

    /* The attacker's site is another port of the same host, so the browser sends it the session as well. */
    private void answer(HttpExchange exchange) throws IOException {
        byte[] body =
                (exchange.getRequestURI().getPath().equals(UNPROTECTED) ? copied(exchange) : page).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /* The console's page as the person sees it, without the headers that restrict browsers. */
    private String copied(HttpExchange exchange) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service(PAGE)))
                .header("Cookie", String.join("; ", exchange.getRequestHeaders().getOrDefault("Cookie", List.of())))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (InterruptedException interrupted) {
            throw new InterruptedIOException(interrupted.toString());
        }
    }

    private String framed() {
        browser.driver().switchTo().frame(0);
        return browser.driver().findElement(By.tagName("body")).getText();
    }
}
