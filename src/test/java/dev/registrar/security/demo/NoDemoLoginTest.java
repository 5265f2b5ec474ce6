package dev.registrar.security.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/oauth2/authorize?response_type=code&client_id=console",
                "/oauth2/token",
                "/oauth2/jwks",
                "/oauth2/introspect",
                "/oauth2/revoke",
                "/oauth2/par",
                "/oauth2/device_authorization",
                "/oauth2/device_verification",
                "/oauth2/register",
                "/connect/register",
                "/connect/logout",
                "/userinfo",
                "/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server",
                "/.well-known/oauth-protected-resource",
                "/login",
                "/logout",
                "/default-ui.css"
            })
    void no_endpoint_of_an_issuer_exists(String path) {
        api.get(path).expectProblem(404, "not-found");
        api.post(path, "{}").expectProblem(404, "not-found");
    }

    @Test
    void no_filter_is_one_of_an_issuer_or_a_login_page() {
        assertThat(IssuerFilters.in(service)).isEmpty();
    }
}
