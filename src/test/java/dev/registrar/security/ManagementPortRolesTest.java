package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** With an issuer, the rules of the management endpoints hold on a management port of their own. */
@ServiceWithIssuerTest
@DirtiesContext
@TestPropertySource(properties = {"management.server.port=0", "management.server.address=127.0.0.1"})
class ManagementPortRolesTest {
    private final Api management;

    ManagementPortRolesTest(@LocalManagementPort int port) {
        this.management = new Api(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void bare_health_is_open_and_its_details_are_the_operators(String path) {
        Answer bare = management.get(path).expect(200);

        assertThat(bare.text()).doesNotContain("components", "details");
        assertThat(management
                        .get("/actuator/health", TestIssuer.person("ops", Role.OPERATOR))
                        .text())
                .contains("components");
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void the_other_endpoints_are_the_operators(Role role) {
        int expected = role == Role.OPERATOR ? 200 : 403;

        for (String path : new String[] {"/actuator/prometheus", "/actuator/metrics", "/actuator/info"}) {
            assertThat(management.get(path, TestIssuer.person("someone", role)).status())
                    .isEqualTo(expected);
            assertThat(management.get(path).status()).isEqualTo(401);
        }
    }

    @Test
    void other_paths_are_denied() {
        assertThat(management.get("/api/courses").status()).isEqualTo(401);
        assertThat(management
                        .get("/other", TestIssuer.person("ops", Role.OPERATOR))
                        .status())
                .isIn(403, 404);
    }
}
