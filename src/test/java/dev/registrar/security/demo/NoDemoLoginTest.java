package dev.registrar.security.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

/** Without the setting, the service has no issuer and no login page. {@link DemoLoginTest} has both. */
@ServiceTest
class NoDemoLoginTest {
    private final Api api;
    private final ApplicationContext service;

    @Autowired
    NoDemoLoginTest(@LocalServerPort int port, ApplicationContext service) {
        this.api = new Api(port);
        this.service = service;
    }

    @Test
    void no_endpoint_of_an_issuer_exists() {
        for (String path : List.of(
                "/oauth2/authorize?response_type=code&client_id=console",
                "/oauth2/token",
                "/oauth2/jwks",
                "/oauth2/register",
                "/connect/logout",
                "/userinfo",
                "/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server",
                "/login",
                "/logout")) {
            api.get(path).expectProblem(404, "not-found");
            api.post(path, "{}").expectProblem(404, "not-found");
        }
    }

    @Test
    void no_filter_is_one_of_an_issuer_or_a_login_page() {
        assertThat(IssuerFilters.in(service)).isEmpty();
    }
}
