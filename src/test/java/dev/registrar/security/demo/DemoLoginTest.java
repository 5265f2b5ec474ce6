package dev.registrar.security.demo;

import static dev.registrar.security.TestBrowser.location;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.LoginHint;
import dev.registrar.security.TestBrowser;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.security.web.WebAttributes;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * A service with the demo login. Its other settings are those of any service that asks who is calling: no {@code /dcb},
 * load tests asked for in vain, and a management port of its own.
 */
@ServiceTest
@ExtendWith(OutputCaptureExtension.class)
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.demo-login=true",
            "registrar.load-test.enabled=true",
            "management.server.port=0",
            "management.server.address=127.0.0.1"
        })
class DemoLoginTest {
    private static final String FORM = "/console/login";

    private final Api api;
    private final Api management;
    private final TestBrowser browser;
    private final int port;
    private final DemoLogin login;
    private final KeptNames kept;

    /** The names of what the sessions have had. */
    static final class KeptNames implements HttpSessionAttributeListener {
        private final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public void attributeAdded(HttpSessionBindingEvent added) {
            names.add(added.getName());
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class KeptNamesConfiguration {
        @Bean
        KeptNames keptNames() {
            return new KeptNames();
        }
    }

    @Autowired
    DemoLoginTest(@LocalServerPort int port, @LocalManagementPort int managementPort, DemoLogin login, KeptNames kept) {
        this.kept = kept;
        this.api = new Api(port);
        this.management = new Api(managementPort);
        this.browser = new TestBrowser(port);
        this.port = port;
        this.login = login;
    }

    /** The header of HTTP Basic. */
    static String[] basic(String name, String password) {
        String credentials = "%s:%s".formatted(name, password);
        return new String[] {"Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8))
        };
    }

    private String[] as(String name) {
        return basic(name, login.password());
    }

    @ParameterizedTest
    @CsvSource({
        "student, /api/courses, /api/students",
        "office, /api/students, /api/admin/projections",
        "operator, /api/admin/projections, /api/students",
        "auditor, /api/commands?correlationId=none, /api/students",
        "machine, /v3/api-docs, /api/courses"
    })
    void an_actor_does_what_the_role_allows_and_no_more(String actor, String allowed, String denied) {
        api.get(allowed, as(actor)).expect(200);
        api.get(denied, as(actor)).expectProblem(403, "forbidden");
    }

    @Test
    void a_request_without_the_password_is_asked_for_it() {
        String[][] refused = {
            {},
            basic("office", "wrong"),
            basic("unknown", login.password()),
            {"Authorization", "Basic ?"},
            {"Authorization", "Bearer a.b.c"}
        };
        for (String[] header : refused) {
            Answer answer = api.get("/api/students", header).expectProblem(401, "unauthorized");

            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Basic realm=\"Registrar\"");
        }
    }

    /* A browser that knows the password sends it with the requests of every page. */
    @Test
    void a_page_of_another_origin_does_not_use_the_password_of_the_browser() {
        for (String[] origin : new String[][] {{"Origin", "http://localhost:1"}, {"Sec-Fetch-Site", "same-site"}}) {
            String[] headers = {as("operator")[0], as("operator")[1], origin[0], origin[1]};

            api.post("/api/admin/projections/courses/reset", "", headers).expectProblem(403, "forbidden");
        }
    }

    @Test
    void the_student_has_the_data_of_ann() {
        api.post("/api/students", "{\"id\": \"ann\", \"name\": \"Ann\", \"email\": \"ann@example.org\"}", as("office"));

        api.get("/api/students/ann?consistency=strong", as("student")).expect(200);
        api.get("/api/students/bob", as("student")).expectProblem(404, "student-unknown");
    }

    @Test
    void the_hint_at_the_start_has_the_password_and_a_command() {
        List<String> lines = ((LoginHint) login).lines("http://127.0.0.1:" + port);

        assertThat(lines.getFirst()).contains("student", "office", "operator", "auditor", login.password());
        assertThat(lines.get(1))
                .isEqualTo("curl -s -u office:%s http://127.0.0.1:%s/api/students", login.password(), port);
        assertThat(login).asString().doesNotContain(login.password());
        assertThat(login.password()).matches("[0-9a-f-]{36}");
        assertThat(DemoLogin.generate().password()).as("at the next start").isNotEqualTo(login.password());
    }

    /** Logs in at the form on the way to a page of the console, each step as a browser takes it. */
    static void logIn(TestBrowser browser, String page, String name, String password) {
        assertThat(location(browser.open(page))).isEqualTo(FORM);
        assertThat(location(sendForm(browser, name, password))).isEqualTo(page);
    }

    private static HttpResponse<String> sendForm(TestBrowser browser, String name, String password) {
        return browser.submit(
                FORM, "username", name, "password", password, "_csrf", TestBrowser.csrf(browser.open(FORM)));
    }

    @Test
    void a_login_at_the_form_opens_the_pages_of_the_role_until_the_logout() {
        logIn(browser, "/console/projections", "operator", login.password());

        HttpResponse<String> page = browser.open("/console/projections");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(403);
        browser.submit("/console/logout", "_csrf", TestBrowser.csrf(page));
        assertThat(location(browser.open("/console/projections"))).isEqualTo(FORM);
    }

    @Test
    void a_login_with_a_wrong_password_or_by_another_page_is_refused() {
        assertThat(location(sendForm(browser, "student", "wrong"))).isEqualTo(FORM + "?wrong");
        assertThat(browser.open(FORM + "?wrong").body()).contains("The name or the password is");
        assertThat(location(sendForm(browser, "machine", login.password())))
                .as("no person")
                .isEqualTo(FORM + "?wrong");
        assertThat(browser.post(FORM, "username=student&password=" + login.password())
                        .statusCode())
                .isEqualTo(403);
        assertThat(location(browser.open("/console/my"))).isEqualTo(FORM);
    }

    @Test
    void a_failed_login_is_logged_and_the_session_does_not_keep_what_was_typed(CapturedOutput log) {
        assertThat(location(sendForm(browser, "student", "my other password"))).isEqualTo(FORM + "?wrong");

        assertThat(kept.names).isNotEmpty().doesNotContain(WebAttributes.AUTHENTICATION_EXCEPTION);
        assertThat(log.getOut())
                .contains("method=POST place=login status=302 reason=login-failed subject=-")
                .doesNotContain("my other password");
    }

    @Test
    void the_event_explorer_shows_a_command_with_a_password() {
        logIn(browser, "/console/events", "auditor", login.password());

        assertThat(browser.open("/console/events").body())
                .contains("-u auditor:PASSWORD", "by the password that the service prints when it starts")
                .doesNotContain("TOKEN", login.password());
    }

    @Test
    void the_login_page_is_open_with_any_query() {
        assertThat(browser.open(FORM + "?x").statusCode()).isEqualTo(200);
    }

    @Test
    void a_form_that_leads_back_to_its_page_is_logged(CapturedOutput log) {
        browser.submit(FORM, "username", "student", "password", "typed", "_csrf", "ended");
        browser.submit("/console/logout", "_csrf", "ended");

        assertThat(log.getOut())
                .contains(
                        "place=console status=303 reason=no-form-token", "place=console status=303 reason=no-session");
    }

    @Test
    void a_login_form_whose_session_has_ended_is_shown_again_without_the_password() {
        HttpResponse<String> answer =
                browser.submit(FORM, "username", "student", "password", login.password(), "_csrf", "ended");

        assertThat(location(answer)).isEqualTo(FORM);
        assertThat(answer.body()).doesNotContain(login.password());
    }

    @Test
    void the_session_has_another_id_after_the_login_and_another_person_ends_what_the_first_one_reads()
            throws IOException {
        browser.open(FORM);
        String before = browser.cookie(TestBrowser.SESSION).orElseThrow();
        logIn(browser, "/console/my", "student", login.password());
        assertThat(browser.cookie(TestBrowser.SESSION).orElseThrow()).isNotEqualTo(before);

        try (InputStream seats =
                browser.stream("GET", "/console/live/seats", "").body()) {
            sendForm(browser, "office", login.password());

            assertThat(new String(seats.readAllBytes(), UTF_8)).contains("the login has ended");
        }
        assertThat(browser.open("/console/my").statusCode()).isEqualTo(403);
    }

    @Test
    void a_session_opens_no_api_and_a_password_opens_no_page() {
        logIn(browser, "/console/office/students", "office", login.password());

        assertThat(browser.open("/api/students").statusCode()).isEqualTo(401);
        assertThat(browser.open("/actuator/metrics").statusCode()).isEqualTo(401);
        String[] office = as("office");
        assertThat(location(new TestBrowser(port).open("/console/office/students", office)))
                .isEqualTo(FORM);
    }

    @Test
    void the_stores_own_api_does_not_exist_and_load_tests_are_refused_to_each_caller() {
        String[][] callers = {{}, as("machine"), as("operator")};
        for (String[] caller : callers) {
            for (String path : List.of("/dcb/append", "/go-crablet/append", "/go-crablet/cleanup")) {
                api.post(path, "{}", caller).expectProblem(404, "not-found");
            }
            api.get("/dcb/head", caller).expectProblem(404, "not-found");
            assertThat(api.post("/load-test/clear", "", caller).status()).isEqualTo(caller.length == 0 ? 401 : 403);
        }
    }

    @Test
    void on_a_management_port_of_its_own_all_but_bare_health_is_the_operators() {
        for (String path : List.of("/actuator/prometheus", "/actuator/metrics", "/actuator/info")) {
            management.get(path).expect(401);
            management.get(path, as("office")).expect(403);
            management.get(path, as("operator")).expect(200);
        }
        for (String path : List.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness")) {
            assertThat(management.get(path).expect(200).text()).doesNotContain("components", "details");
        }
        assertThat(management.get("/actuator/health", as("operator")).text()).contains("components");
        management.get("/api/courses").expect(401);
        assertThat(management.get("/other", as("operator")).status()).isIn(403, 404);
    }
}
