package dev.registrar.security.demo;

import static dev.registrar.security.TestBrowser.location;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.LoginHint;
import dev.registrar.security.TestBrowser;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service that is its own issuer. Its other settings are those of any service with an issuer: no {@code /dcb}, load
 * tests asked for in vain, and a management port of its own.
 */
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.demo-login=true",
            "registrar.load-test.enabled=true",
            "registrar.security.tokens.key-timeout=30s",
            "management.server.port=0",
            "management.server.address=127.0.0.1"
        })
class DemoLoginTest {
    private static final String ALL_SCOPES = "&scope=dcb:read%20dcb:append";
    private static final Pattern FORGERY_TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final Api api;
    private final Api management;
    private final TestBrowser browser;
    private final int port;
    private final DemoLogin login;
    private final ApplicationContext service;

    @Autowired
    DemoLoginTest(
            @LocalServerPort int port,
            @LocalManagementPort int managementPort,
            DemoLogin login,
            ApplicationContext service) {
        this.api = new Api(port);
        this.management = new Api(managementPort);
        this.browser = new TestBrowser(port);
        this.port = port;
        this.login = login;
        this.service = service;
    }

    private Answer token(String client, String password, String more) {
        String credentials = Base64.getEncoder()
                .encodeToString("%s:%s".formatted(client, password).getBytes(UTF_8));
        return api.send(
                "POST",
                "/oauth2/token",
                BodyPublishers.ofString("grant_type=client_credentials" + more),
                "Authorization",
                "Basic " + credentials,
                "Content-Type",
                "application/x-www-form-urlencoded");
    }

    private String token(String client, String more) {
        return token(client, login.password(), more)
                .expect(200)
                .json()
                .path("access_token")
                .asString();
    }

    private String[] header(String client, String more) {
        return new String[] {"Authorization", "Bearer " + token(client, more)};
    }

    private static JsonNode claims(String token) {
        return JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "student, /api/courses, /api/students",
        "office, /api/students, /api/admin/projections",
        "operator, /api/admin/projections, /api/students",
        "auditor, /api/commands?correlationId=none, /api/students"
    })
    void an_actor_does_what_the_role_allows_and_no_more(String actor, String allowed, String denied) {
        api.get(allowed, header(actor, "")).expect(200);
        api.get(denied, header(actor, "")).expectProblem(403, "forbidden");
        api.get(allowed).expectProblem(401, "unauthorized");
    }

    @Test
    void the_student_has_data_of_their_own_and_the_machine_client_the_scopes_that_it_asks_for() {
        JsonNode student = claims(token("student", ""));

        assertThat(student.path("student_id").asString()).isEqualTo("ann");
        assertThat(student.path("client_id").asString()).isEqualTo("student");
        assertThat(claims(token("office", "")).has("student_id")).isFalse();
        assertThat(claims(token(DemoLogin.MACHINE, ALL_SCOPES)).path("scope").toString())
                .contains("dcb:read", "dcb:append");
        assertThat(claims(token(DemoLogin.MACHINE, "")).path("scope").toString())
                .doesNotContain("dcb");
        assertThat(token("office", login.password(), ALL_SCOPES).status()).isEqualTo(400);
    }

    @Test
    void a_wrong_password_gives_no_token() {
        assertThat(token("office", "wrong", "").status()).isEqualTo(401);
        assertThat(token("unknown", login.password(), "").status()).isEqualTo(401);
        assertThat(api.get("/oauth2/jwks").expect(200).text()).doesNotContain("\"d\"");
    }

    @Test
    void the_hint_at_the_start_is_a_command_that_gives_a_token() {
        List<String> lines = ((LoginHint) login).lines("http://127.0.0.1:" + port);

        assertThat(lines.getFirst()).contains("student", "office", "operator", "auditor", login.password());
        assertThat(lines.get(1))
                .isEqualTo(
                        "curl -s -u office:%s http://127.0.0.1:%d/oauth2/token -d grant_type=client_credentials",
                        login.password(), port);
        assertThat(login).asString().doesNotContain(login.password());
        assertThat(login.password()).matches("[0-9a-f]{24}");
        assertThat(DemoLogin.generate(new MockEnvironment()).password())
                .as("at the next start")
                .isNotEqualTo(login.password());
    }

    @Test
    void the_service_has_the_filters_of_the_issuer_and_of_the_login_page() {
        assertThat(IssuerFilters.in(service))
                .anyMatch(name -> name.endsWith("OAuth2TokenEndpointFilter"))
                .anyMatch(name -> name.endsWith("DefaultLoginPageGeneratingFilter"))
                .noneMatch(name -> name.contains("Registration"));
    }

    /** Logs in at the form of the issuer on the way to a page of the console, each step as a browser takes it. */
    static void logIn(TestBrowser browser, String page, String name, String password) {
        assertThat(path(browser.open(page))).isEqualTo(TestBrowser.LOGIN);
        assertThat(path(browser.open(path(browser.open(TestBrowser.LOGIN))))).isEqualTo("/login");
        String again = path(sendForm(browser, name, password));
        String callback = path(browser.open(again));
        assertThat(callback).startsWith(TestBrowser.CALLBACK + "?code=");
        assertThat(path(browser.open(callback))).isEqualTo(page);
    }

    private static HttpResponse<String> sendForm(TestBrowser browser, String name, String password) {
        HttpResponse<String> form = browser.open("/login");
        assertThat(form.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("form-action 'self'", "default-src 'none'");
        Matcher token = FORGERY_TOKEN.matcher(form.body());
        assertThat(token.find()).isTrue();
        return browser.submit("/login", "username", name, "password", password, "_csrf", token.group(1));
    }

    static String path(HttpResponse<String> redirect) {
        URI target = URI.create(location(redirect));
        return target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    }

    @Test
    void a_login_at_the_form_opens_the_pages_of_the_role_until_the_logout() {
        logIn(browser, "/console/projections", "operator", login.password());

        HttpResponse<String> page = browser.open("/console/projections");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(403);
        browser.submit("/console/logout", "_csrf", TestBrowser.csrf(page));
        assertThat(path(browser.open("/console/projections"))).isEqualTo(TestBrowser.LOGIN);
    }

    @Test
    void a_login_with_a_wrong_password_or_by_another_page_is_refused() {
        assertThat(path(sendForm(browser, "student", "wrong"))).isEqualTo("/login?error");
        assertThat(browser.post("/login", "username=student&password=" + login.password())
                        .statusCode())
                .isEqualTo(403);
    }

    /* The session of the form does not replace the token: a page could use it to forge requests. */
    @Test
    void the_session_of_the_form_gives_no_access_to_the_service() {
        sendForm(browser, "office", login.password());

        assertThat(browser.open("/api/students").statusCode()).isEqualTo(401);
        assertThat(browser.open("/actuator/metrics").statusCode()).isEqualTo(401);
    }

    @Test
    void a_code_goes_to_a_client_on_this_machine_only() {
        String authorize = path(browser.open(TestBrowser.LOGIN));

        assertThat(authorize).contains("127.0.0.1");
        assertThat(browser.open(authorize.replace("127.0.0.1", "attacker.example"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(path(browser.open(authorize))).isEqualTo("/login");
    }

    @Test
    void the_stores_own_api_does_not_exist_and_load_tests_are_refused_to_each_caller() {
        String[][] callers = {{}, header(DemoLogin.MACHINE, ALL_SCOPES), header("operator", "")};
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
        String[] operator = header("operator", "");
        for (String path : List.of("/actuator/prometheus", "/actuator/metrics", "/actuator/info")) {
            management.get(path).expect(401);
            management.get(path, header("office", "")).expect(403);
            management.get(path, operator).expect(200);
        }
        for (String path : List.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness")) {
            assertThat(management.get(path).expect(200).text()).doesNotContain("components", "details");
        }
        assertThat(management.get("/actuator/health", operator).text()).contains("components");
        management.get("/api/courses").expect(401);
        assertThat(management.get("/other", operator).status()).isIn(403, 404);
    }
}
