package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.TestAuthorizationServer;
import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/** A service that starts while its issuer is down, and outlives the issuer. */
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.security.tokens.key-pause=10ms",
            "registrar.security.tokens.key-refresh=1s",
            "registrar.security.tokens.key-retention=10s"
        })
class IssuerDownTest {
    private static final TestAuthorizationServer ISSUER = TestAuthorizationServer.start();

    private final Api api;
    private final TestBrowser browser;

    IssuerDownTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = new TestBrowser(port);
    }

    @DynamicPropertySource
    static void trust(DynamicPropertyRegistry registry) {
        ISSUER.stop();
        ISSUER.settings().forEach((name, value) -> registry.add(name, () -> value));
        registry.add("spring.security.oauth2.client.registration.registrar.client-id", () -> "console");
        registry.add("spring.security.oauth2.client.registration.registrar.client-secret", () -> "secret");
    }

    @AfterAll
    static void stop() {
        ISSUER.close();
    }

    /* Each token is new, since the result of a check is kept for a while. */
    private Answer get() {
        String token = ISSUER.signed(claims -> claims.claim("roles", List.of("course-office")));
        return api.get("/api/courses", "Authorization", "Bearer " + token);
    }

    private void expectUnavailable() {
        Answer answer = get().expectProblem(503, "service-unavailable");
        assertThat(answer.json().path("detail").asString())
                .contains("the issuer's keys")
                .contains("nothing was changed");
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(answer.header("WWW-Authenticate")).isEmpty();
    }

    @Test
    void the_keys_outlast_the_issuer_and_without_keys_the_answer_is_503() {
        expectUnavailable();
        api.get("/api/courses").expectProblem(401, "unauthorized");
        api.get("/api/courses", "Authorization", "Bearer no-token").expectProblem(401, "unauthorized");
        api.get("/actuator/health/readiness").expect(200);
        HttpResponse<String> noLogin = browser.open(TestBrowser.LOGIN);
        assertThat(noLogin.statusCode()).isEqualTo(503);
        assertThat(noLogin.body()).contains("no login is possible right now");

        ISSUER.startAgain();
        await().untilAsserted(() -> get().expect(200));
        await().until(() -> browser.open(TestBrowser.LOGIN).statusCode() == 302);
        assertThat(TestBrowser.location(browser.open(TestBrowser.LOGIN)))
                .startsWith(ISSUER.uri() + "/oauth2/authorize?")
                .contains("client_id=console", "scope=openid", "code_challenge_method=S256", "nonce=");

        ISSUER.stop();
        get().expect(200);
        await().untilAsserted(this::expectUnavailable);

        ISSUER.startAgain();
        await().untilAsserted(() -> get().expect(200));
    }
}
