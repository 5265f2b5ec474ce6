package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class AllowedHostsTest {

    private static SecuritySettings settings(List<String> hosts) {
        return new SecuritySettings(false, hosts, "roles", "student_id", false);
    }

    @ParameterizedTest
    @CsvSource({
        "office.example, true",
        "OFFICE.EXAMPLE:443, true",
        "[fd00::1]:8080, true",
        "localhost:8080, true",
        "office.example.org, false",
        "office, false",
        "[::1]:8080, true",
        "[::ffff:127.0.0.1], false",
        "[fd00::2], false",
        "[::g], false",
        "[fd00::1, false",
        "'', false",
        ":8080, false"
    })
    void further_names_are_allowed_with_any_port(String host, boolean allowed) {
        SecuritySettings settings = settings(List.of("Office.example", "[FD00::1]"));

        assertThat(AllowedHosts.of(settings.allowedHosts(), new MockEnvironment())
                        .contain(host))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.1.5, 192.168.1.5:80, true",
        "FD00::1, [fd00::1]:80, true",
        "localhost, localhost, true",
        "0.0.0.0, 0.0.0.0:80, false"
    })
    void the_address_of_the_server_is_a_name_unless_it_stands_for_all(String address, String host, boolean allowed) {
        AllowedHosts hosts = AllowedHosts.of(List.of(), new MockEnvironment().withProperty("server.address", address));

        assertThat(hosts.contain(host)).isEqualTo(allowed);
    }

    @Test
    void a_management_port_of_its_own_adds_its_address() {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("server.address", "192.168.1.5")
                .withProperty("management.server.address", "10.0.0.5");

        assertThat(AllowedHosts.of(List.of(), environment).contain("10.0.0.5:9090"))
                .isFalse();
        environment.setProperty("management.server.port", "9090");
        AllowedHosts hosts = AllowedHosts.of(List.of(), environment);
        assertThat(hosts.contain("10.0.0.5:9090")).isTrue();
        assertThat(hosts.contain("192.168.1.5:8080")).isTrue();
        assertThat(hosts.contain("10.0.0.6:9090")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "a b", "office.example:80", "fd00::1", "http://office.example"})
    void a_name_that_no_host_header_can_have_is_refused(String name) {
        assertThatThrownBy(() -> settings(List.of(name)))
                .hasMessageContaining("registrar.security.allowed-hosts")
                .hasMessageContaining("'%s'".formatted(name));
    }
}
