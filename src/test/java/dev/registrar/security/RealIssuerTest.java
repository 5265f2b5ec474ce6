package dev.registrar.security;

import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.jwk.RSAKey;
import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.TestAuthorizationServer;
import dev.registrar.http.ServiceTest;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/** A service beside an issuer of another process: it finds the issuer's addresses and keys itself, and outlives it. */
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.security.dcb-enabled=true",
            "registrar.security.roles-claim=realm_access.roles",
            "registrar.security.student-claim=matriculation",
            "registrar.security.tokens.key-timeout=30s",
            "registrar.security.tokens.key-pause=10ms",
            "registrar.security.tokens.key-refresh=1s",
            "registrar.security.tokens.key-retention=10s"
        })
@Tag("thorough")
class RealIssuerTest {
    private static final String CLIENT = "spring.security.oauth2.client.registration.registrar.";
    private static final Pattern FORGERY_TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");
    private static final TestAuthorizationServer ISSUER = TestAuthorizationServer.start();

    private final Api api;
    private final TestBrowser browser;
    private final TestBrowser atIssuer =
            new TestBrowser(URI.create(ISSUER.uri()).getPort());

    RealIssuerTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = new TestBrowser(port);
    }

    /* The issuer is down when the service starts. */
    @DynamicPropertySource
    static void trust(DynamicPropertyRegistry registry) {
        ISSUER.stop();
        ISSUER.settings().forEach((name, value) -> registry.add(name, () -> value));
        registry.add(CLIENT + "client-id", () -> TestAuthorizationServer.CONSOLE);
        registry.add(CLIENT + "client-secret", () -> TestAuthorizationServer.CONSOLE_SECRET);
    }

    @BeforeEach
    void startIssuer() {
        ISSUER.stop();
        ISSUER.startAgain();
    }

    @AfterAll
    static void stop() {
        ISSUER.close();
    }

    private static void office(JwtClaimsSet.Builder claims) {
        claims.subject("carl").claim("realm_access", Map.of("roles", List.of("course-office")));
    }

    private Answer get(String token) {
        return api.get("/api/courses", "Authorization", "Bearer " + token);
    }

    /* Each token is new, since the result of a check is kept for a while. */
    private Answer get() {
        return get(ISSUER.signed(RealIssuerTest::office));
    }

    private void expectUnavailable() {
        Answer answer = get().expectProblem(503, "service-unavailable");
        assertThat(answer.json().path("detail").asString()).contains("the issuer's keys", "nothing was changed");
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(answer.header("WWW-Authenticate")).isEmpty();
    }

    @Test
    void the_keys_outlast_the_issuer_and_without_keys_the_answer_is_503() {
        await().untilAsserted(() -> get().expect(200));
        ISSUER.stop();

        get().expect(200);
        await().untilAsserted(this::expectUnavailable);
        api.get("/api/courses").expectProblem(401, "unauthorized");
        api.get("/actuator/health/readiness").expect(200);

        ISSUER.startAgain();
        await().untilAsserted(() -> get().expect(200));
    }

    @Test
    void a_new_key_is_fetched_and_tokens_of_a_withdrawn_one_are_refused() {
        RSAKey old = ISSUER.key();
        await().untilAsserted(() -> get().expect(200));

        ISSUER.changeKey();
        await().untilAsserted(() -> get().expect(200));
        get(ISSUER.signed(old, RealIssuerTest::office)).expect(200);

        ISSUER.withdrawOldKeys();
        await().untilAsserted(
                        () -> get(ISSUER.signed(old, RealIssuerTest::office)).expectProblem(401, "unauthorized"));
        get().expect(200);
    }

    @Test
    void a_machine_client_reads_with_the_scope_that_it_asked_for() {
        String[] reads = TestIssuer.header(ISSUER.token(claims -> {}, "dcb:read"));
        String[] appends = TestIssuer.header(ISSUER.token(claims -> {}, "dcb:append"));

        await().untilAsserted(() -> api.get("/dcb/head", reads).expect(200));
        api.get("/dcb/head", appends).expectProblem(403, "forbidden");
        assertThat(ISSUER.requestToken("none", "wrong").statusCode()).isEqualTo(401);
    }

    private static void addPerson(String name, String role) {
        ISSUER.addPerson(
                name,
                claims -> claims.claim("realm_access", Map.of("roles", List.of(role, "unknown")))
                        .claim("matriculation", "ann"));
    }

    private static String path(String location) {
        URI target = URI.create(location);
        return target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    }

    /* Each redirect as a browser follows it, which keeps the cookies of both servers. */
    private HttpResponse<String> login(String page) {
        assertThat(location(browser.open(page))).isEqualTo(TestBrowser.LOGIN);
        String authorize = location(browser.open(TestBrowser.LOGIN));
        assertThat(authorize).startsWith(ISSUER.uri() + "/oauth2/authorize?");
        return atIssuer.open(path(authorize));
    }

    private String signIn(HttpResponse<String> asked, String name, String password) {
        assertThat(path(location(asked))).isEqualTo("/login");
        Matcher token = FORGERY_TOKEN.matcher(atIssuer.open("/login").body());
        assertThat(token.find()).isTrue();
        return path(
                location(atIssuer.submit("/login", "username", name, "password", password, "_csrf", token.group(1))));
    }

    private String back(HttpResponse<String> granted) {
        String callback = path(location(granted));
        assertThat(callback).startsWith(TestBrowser.CALLBACK + "?code=");
        return location(browser.open(callback));
    }

    @Test
    void the_roles_of_a_person_are_those_of_the_issuer_at_the_login() {
        await().until(() -> browser.open(TestBrowser.LOGIN).statusCode() == 302);
        addPerson("person", "student");
        assertThat(signIn(login("/console/my?tab=all"), "person", "wrong")).isEqualTo("/login?error");
        String authorized = signIn(login("/console/my?tab=all"), "person", TestAuthorizationServer.PASSWORD);
        assertThat(back(atIssuer.open(authorized))).isEqualTo("/console/my?tab=all");
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(403);

        addPerson("person", "course-office");
        browser.submit("/console/logout", "_csrf", TestBrowser.csrf(browser.open("/")));

        // The issuer still knows the person, and asks nothing.
        assertThat(back(login("/console/office/students"))).isEqualTo("/console/office/students");
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(200);
        assertThat(browser.open("/console/my").statusCode()).isEqualTo(403);
    }
}
