package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

/** The service does not start where other machines could reach it. */
class ListeningAddressesTest {

    private static MockEnvironment environment(String... settings) {
        MockEnvironment environment = new MockEnvironment();
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            environment.setProperty(parts[0], parts[1]);
        }
        return environment;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void a_loopback_address_is_allowed(String address) {
        assertThatCode(() -> StartCheck.checkAddresses(environment("server.address=" + address)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.0.0.0", "::", "192.168.1.5", "fd00::1"})
    void any_other_address_is_refused_unless_it_is_allowed(String address) {
        MockEnvironment environment = environment("server.address=" + address);

        RefusedStartException refused =
                catchThrowableOfType(RefusedStartException.class, () -> StartCheck.checkAddresses(environment));
        FailureAnalysis analysis = new RefusedStartFailureAnalyzer().analyze(refused);

        assertThat(analysis)
                .extracting(FailureAnalysis::getDescription)
                .asString()
                .contains("server.address=");
        assertThat(analysis)
                .extracting(FailureAnalysis::getAction)
                .asString()
                .contains(
                        "server.address",
                        "registrar.security.allow-network-without-login",
                        "allowed-hosts",
                        "spring.security.oauth2.resourceserver.jwt.issuer-uri",
                        "spring.security.oauth2.resourceserver.jwt.audiences");
        environment.setProperty("registrar.security.allow-network-without-login", "true");
        assertThatCode(() -> StartCheck.checkAddresses(environment)).doesNotThrowAnyException();
    }

    @Test
    void no_address_at_all_is_refused() {
        assertThatThrownBy(() -> StartCheck.checkAddresses(environment()))
                .isInstanceOf(RefusedStartException.class)
                .hasMessageContaining("server.address=");
    }

    @Test
    void a_management_port_of_its_own_needs_an_address_of_its_own() {
        MockEnvironment environment = environment("server.address=127.0.0.1", "management.server.port=9090");

        assertThatThrownBy(() -> StartCheck.checkAddresses(environment))
                .hasMessageContaining("management.server.address=");
        environment.setProperty("management.server.address", "127.0.0.1");
        assertThatCode(() -> StartCheck.checkAddresses(environment)).doesNotThrowAnyException();
    }

    @Test
    void a_free_port_for_management_is_not_the_servers_free_port() {
        assertThatThrownBy(() -> StartCheck.checkAddresses(
                        environment("server.address=127.0.0.1", "server.port=0", "management.server.port=0")))
                .hasMessageContaining("management.server.address=");
        assertThatCode(() -> StartCheck.checkAddresses(environment("server.address=127.0.0.1", "server.port=0")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8080", "-1"})
    void a_management_port_that_is_the_servers_or_none_needs_no_address(String port) {
        assertThatCode(() -> StartCheck.checkAddresses(
                        environment("server.address=127.0.0.1", "management.server.port=" + port)))
                .doesNotThrowAnyException();
    }

    @Test
    void with_an_issuer_any_address_is_allowed() {
        assertThatCode(() -> StartCheck.checkAddresses(
                        environment("server.address=0.0.0.0", AccessMode.ISSUER + "=https://issuer.example")))
                .doesNotThrowAnyException();
    }
}
