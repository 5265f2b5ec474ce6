package dev.registrar.security;

import static dev.registrar.security.TestBrowser.CALLBACK;
import static dev.registrar.security.TestBrowser.LOGIN;
import static dev.registrar.security.TestBrowser.SESSION;
import static dev.registrar.security.TestBrowser.csrf;
import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Logins at the console of a service with an issuer: how they begin, what they allow, and how they end. */
@ServiceWithIssuerTest
class ConsoleLoginTest {
    private static final String OPERATOR = TestBrowser.token(TestIssuer.person("operator", Role.OPERATOR));

    private final int port;
    private final TestBrowser browser;

    ConsoleLoginTest(@LocalServerPort int port) {
        this.port = port;
        this.browser = new TestBrowser(port);
    }

    private boolean isLoggedIn(TestBrowser other) {
        return other.open("/").body().contains("Log out");
    }

    private static String student() {
        String id = Api.newId("student");
        return TestBrowser.token(TestIssuer.student(id));
    }

    @Test
    void a_page_leads_to_the_login_and_the_login_to_the_page() {
        assertThat(location(browser.open("/console/courses?search=a%20b&sort=title")))
                .isEqualTo(LOGIN);

        assertThat(location(browser.login(student()))).isEqualTo("/console/courses?search=a%20b&sort=title");
        assertThat(browser.open("/console/courses").statusCode()).isEqualTo(200);
    }

    @Test
    void the_front_page_has_the_pages_of_the_role_alone() {
        for (Role role : Role.values()) {
            TestBrowser person = new TestBrowser(port);
            assertThat(location(person.login(TestBrowser.token(TestIssuer.person("person", role)))))
                    .isEqualTo("/");
            String page = person.open("/").body();

            assertThat(page).contains("Logged in as").doesNotContain("/console/rush");
            assertThat(page.contains("/console/my")).isEqualTo(role == Role.STUDENT);
            assertThat(page.contains("/console/office/students")).isEqualTo(role == Role.COURSE_OFFICE);
            assertThat(page.contains("/console/projections")).isEqualTo(role == Role.OPERATOR);
            assertThat(page.contains("/console/lab")).isEqualTo(role == Role.AUDITOR);
        }
    }

    @Test
    void a_visitor_who_is_not_logged_in_gets_no_session() {
        HttpResponse<String> page = browser.open("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains(LOGIN).doesNotContain("/console/courses", "_csrf");
        assertThat(page.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(browser.open("/console/assets/registrar.css").headers().firstValue("Set-Cookie"))
                .isEmpty();
    }

    @Test
    void no_script_reads_the_session_and_no_cache_keeps_a_page() {
        HttpResponse<String> begun = browser.open(LOGIN);
        assertThat(begun.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith(SESSION + "=")
                .contains("HttpOnly", "SameSite=Lax", "Path=/");

        browser.login(OPERATOR);

        assertThat(browser.open("/console/store").headers().firstValue("Cache-Control"))
                .hasValue("no-store");
    }

    @Test
    void the_session_has_another_id_after_the_login() {
        browser.setCookie(SESSION, "0123456789ABCDEF0123456789ABCDEF");
        browser.open(LOGIN);
        String before = browser.cookie(SESSION).orElseThrow();
        assertThat(before).as("an invented id becomes no session").doesNotStartWith("0123456789ABCDEF");
        browser.login(OPERATOR);
        TestBrowser attacker = new TestBrowser(port);
        attacker.setCookie(SESSION, before);

        assertThat(browser.cookie(SESSION).orElseThrow()).isNotEqualTo(before);
        assertThat(isLoggedIn(attacker)).isFalse();
    }

    /* Otherwise a person would act, and type data, as the attacker. */
    @Test
    void the_end_of_a_login_that_this_browser_did_not_begin_is_no_login() {
        String callback = new TestBrowser(port).callback(OPERATOR);
        assertThat(location(browser.open(callback))).isEqualTo("/");
        for (String query : List.of("?code=x&state=y", "?error=access_denied&state=y", "?code=%25zz&state=y")) {
            assertThat(location(browser.open(CALLBACK + query))).isEqualTo("/");
        }
        for (String query : List.of("", "?code=x", "?state=y")) {
            HttpResponse<String> answer = browser.open(CALLBACK + query);
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("<h1").doesNotContain("Exception");
        }
        assertThat(browser.cookie(SESSION)).isEmpty();

        browser.open(LOGIN);
        assertThat(location(browser.open(callback))).isEqualTo("/");
        assertThat(isLoggedIn(browser)).isFalse();
    }

    @Test
    void a_code_and_a_state_are_good_for_one_login() {
        String callback = browser.callback(OPERATOR);
        assertThat(location(browser.open(callback))).isEqualTo("/");

        assertThat(location(browser.open(callback))).isEqualTo("/");
        TestBrowser other = new TestBrowser(port);
        assertThat(location(other.open(callback))).isEqualTo("/");
        assertThat(isLoggedIn(other)).isFalse();
    }

    @Test
    void a_token_that_the_api_refuses_is_no_login() {
        Instant past = Instant.now().minusSeconds(3_600);
        List<String> refused = List.of(
                TestIssuer.token("other", claims -> claims.audience(List.of("other"))),
                TestIssuer.token(
                        "late", claims -> claims.issuedAt(past.minusSeconds(60)).expiresAt(past)),
                TestIssuer.token("x".repeat(256), claims -> {}),
                "no-token");

        for (String token : refused) {
            assertThat(browser.login(token).statusCode()).isEqualTo(403);
            assertThat(isLoggedIn(browser)).isFalse();
        }
    }

    @Test
    void a_session_opens_no_api_and_a_token_opens_no_page() {
        browser.login(TestBrowser.token(TestIssuer.person("office", Role.COURSE_OFFICE)));
        TestBrowser other = new TestBrowser(port);

        assertThat(browser.open("/api/students").statusCode()).isEqualTo(401);
        assertThat(browser.open("/dcb/head").statusCode()).isEqualTo(401);
        assertThat(browser.open("/actuator/metrics").statusCode()).isEqualTo(401);
        assertThat(other.open("/console/store", "Authorization", "Bearer " + OPERATOR)
                        .statusCode())
                .isEqualTo(302);
    }

    @Test
    void a_logout_ends_the_session_for_every_copy_of_its_cookie() {
        browser.login(OPERATOR);
        String session = browser.cookie(SESSION).orElseThrow();
        String token = csrf(browser.open("/"));

        assertThat(location(browser.submit("/console/logout", "_csrf", token))).isEqualTo("/");

        browser.setCookie(SESSION, session);
        assertThat(isLoggedIn(browser)).isFalse();
        assertThat(location(browser.open("/console/store"))).isEqualTo(LOGIN);
        assertThat(location(browser.submit("/console/logout", "_csrf", token))).isEqualTo("/");
    }

    @Test
    void live_parts_of_a_page_end_with_the_logout() throws IOException {
        browser.login(student());
        String token = csrf(browser.open("/"));
        try (InputStream seats =
                browser.stream("GET", "/console/live/seats", "").body()) {
            assertThat(seats.read()).isPositive();

            browser.submit("/console/logout", "_csrf", token);

            assertThat(new String(seats.readAllBytes(), StandardCharsets.UTF_8)).contains("the login has ended");
        }
    }

    @Test
    @Tag("thorough")
    void a_session_and_the_live_parts_of_its_page_end_with_the_token() throws IOException {
        browser.login(TestIssuer.token(
                "student",
                claims -> claims.expiresAt(Instant.now().plusSeconds(15))
                        .claim("roles", List.of(Role.STUDENT.claim()))
                        .claim("student_id", "ann")));

        try (InputStream seats =
                browser.stream("GET", "/console/live/seats", "").body()) {
            assertThat(new String(seats.readAllBytes(), StandardCharsets.UTF_8)).contains("the login has ended");
        }
        assertThat(browser.open("/console/my").statusCode()).isEqualTo(302);
        assertThat(isLoggedIn(browser)).isFalse();
    }

    @Test
    void only_the_form_of_the_page_logs_out() {
        TestBrowser other = new TestBrowser(port);
        other.login(OPERATOR);
        String foreign = csrf(other.open("/"));
        browser.login(OPERATOR);
        // Its second half has bits that are no text once the first half is taken off.
        String undecodable = Base64.getUrlEncoder()
                .encodeToString(("\0".repeat(36) + "\u00ff".repeat(36)).getBytes(StandardCharsets.ISO_8859_1));

        assertThat(browser.submit("/console/logout").statusCode()).isEqualTo(403);
        for (String token : List.of("invented", undecodable, foreign)) {
            assertThat(browser.submit("/console/logout", "_csrf", token).statusCode())
                    .isEqualTo(403);
        }
        assertThat(browser.open("/console/logout").statusCode()).isEqualTo(403);
        assertThat(isLoggedIn(browser)).isTrue();
    }

    /* Parts of pages, live data and pages that are loaded in advance would otherwise begin logins of their own. */
    @Test
    void only_a_person_who_opens_a_page_is_led_to_the_login() {
        HttpResponse<String> part = browser.open("/console/courses", "HX-Request", "true");
        assertThat(part.statusCode()).isEqualTo(401);
        assertThat(part.headers().firstValue("HX-Refresh")).hasValue("true");
        assertThat(part.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(browser.open("/console/courses", "Sec-Fetch-Mode", "cors").statusCode())
                .isEqualTo(401);
        assertThat(browser.open("/console/courses", "Sec-Purpose", "prefetch").statusCode())
                .isEqualTo(401);
    }

    @Test
    void a_login_leads_to_no_other_origin() {
        for (String path : List.of(
                "//attacker.example",
                "/console/..//attacker.example",
                LOGIN + "?redirect_uri=https://attacker.example&continue=https://attacker.example",
                "/console/courses?search=https://attacker.example")) {
            TestBrowser led = new TestBrowser(port);
            led.open(path);

            assertThat(location(led.login(OPERATOR))).startsWith("/").doesNotStartWith("//");
        }
    }

    @Test
    void a_forged_host_leads_nowhere() throws IOException {
        String answer = answerTo("attacker.example", "/console/courses");

        assertThat(answer).startsWith("HTTP/1.1 302").contains("Location: " + LOGIN);
        assertThat(answer).doesNotContain("attacker.example");
    }

    /* Below the HTTP client, which does not let a test choose the host. */
    private String answerTo(String host, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
                            .formatted(path, host)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
