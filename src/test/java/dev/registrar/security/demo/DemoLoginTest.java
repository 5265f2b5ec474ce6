package dev.registrar.security.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.LoginHint;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ServiceTest
@DirtiesContext
@TestPropertySource(properties = {"registrar.demo-login=true", "registrar.security.dcb-enabled=true"})
class DemoLoginTest {
    private static final String ALL_SCOPES = "&scope=dcb:read%20dcb:append";

    private final Api api;
    private final int port;
    private final DemoLogin login;
    private final ApplicationContext service;

    @Autowired
    DemoLoginTest(@LocalServerPort int port, DemoLogin login, ApplicationContext service) {
        this.api = new Api(port);
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

    private Answer get(String path, String token) {
        return api.get(path, "Authorization", "Bearer " + token);
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
        String token = token(actor, "");

        get(allowed, token).expect(200);
        get(denied, token).expectProblem(403, "forbidden");
    }

    @Test
    void the_machine_client_has_the_scopes_that_it_asks_for() {
        String token = token(DemoLogin.MACHINE, ALL_SCOPES);

        get("/dcb/head", token).expect(200);
        get("/api/courses", token).expectProblem(403, "forbidden");
        get("/dcb/head", token(DemoLogin.MACHINE, "")).expectProblem(403, "forbidden");
        assertThat(token("office", login.password(), ALL_SCOPES).status()).isEqualTo(400);
    }

    @Test
    void the_student_has_data_of_their_own() {
        JsonNode claims = claims(token("student", ""));

        assertThat(claims.path("student_id").asString()).isEqualTo("ann");
        assertThat(claims.path("roles").get(0).asString()).isEqualTo("student");
        assertThat(claims.path("sub").asString()).isEqualTo("student");
        assertThat(claims.path("client_id").asString()).isEqualTo("student");
        assertThat(claims(token("office", "")).has("student_id")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/courses", "/api/students/ann", "/dcb/head", "/actuator/metrics", "/v3/api-docs"})
    void a_request_without_a_token_is_refused(String path) {
        api.get(path).expectProblem(401, "unauthorized");
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
    }

    @Test
    void the_service_has_the_filters_of_the_issuer_and_of_the_login_page() {
        assertThat(IssuerFilters.in(service))
                .anyMatch(name -> name.endsWith("OAuth2TokenEndpointFilter"))
                .anyMatch(name -> name.endsWith("DefaultLoginPageGeneratingFilter"))
                .noneMatch(name -> name.contains("Registration"));
    }

    @Test
    void a_password_is_new_at_each_start() {
        assertThat(login.password()).matches("[0-9a-f]{24}");
        assertThat(DemoLogin.generate(new MockEnvironment()).password()).isNotEqualTo(login.password());
    }
}
