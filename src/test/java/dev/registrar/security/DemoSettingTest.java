package dev.registrar.security;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

class DemoSettingTest {
    private final MockEnvironment environment = new MockEnvironment()
            .withProperty(AccessMode.DEMO_LOGIN, "true")
            .withProperty("server.address", "127.0.0.1");

    private FailureAnalysis refused() {
        RefusedStartException refused =
                catchThrowableOfType(RefusedStartException.class, () -> StartCheck.checkAddresses(environment));
        return requireNonNull(new RefusedStartFailureAnalyzer().analyze(refused));
    }

    /* The password is printed: no other setting makes the demo login fit for a network. */
    @ParameterizedTest
    @ValueSource(strings = {"", "0.0.0.0", "::", "192.168.1.5", "fd00::1"})
    void any_other_address_is_refused(String address) {
        environment.setProperty("server.address", address);
        environment.setProperty("registrar.security.allow-network-without-login", "true");

        assertThat(refused().getDescription()).contains("registrar.demo-login=true", "server.address=");
        assertThat(refused().getAction()).contains("127.0.0.1", AccessMode.ISSUER);
        environment.setProperty(AccessMode.DEMO_LOGIN, "false");
        assertThatCode(() -> StartCheck.checkAddresses(environment)).doesNotThrowAnyException();
    }

    @Test
    void the_address_of_the_management_endpoints_is_checked_as_well() {
        environment.setProperty("management.server.port", "9090");
        environment.setProperty("management.server.address", "192.168.1.5");

        assertThat(refused().getDescription()).contains("management.server.address=192.168.1.5");
        environment.setProperty("management.server.address", "127.0.0.1");
        assertThatCode(() -> StartCheck.checkAddresses(environment)).doesNotThrowAnyException();
    }

    @Test
    void an_issuer_beside_it_is_refused() {
        environment.setProperty(AccessMode.ISSUER, "https://issuer.example");
        environment.setProperty(StartCheck.AUDIENCES, "registrar");

        assertThatThrownBy(() -> StartCheck.checkIssuer(environment))
                .isInstanceOf(RefusedStartException.class)
                .hasMessageContaining("registrar.demo-login=true")
                .hasMessageContaining(AccessMode.ISSUER);
    }
}
