package dev.registrar.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.mock.env.MockEnvironment;

/** The URLs that the start-up message shows and the warm-up calls. */
class ServiceAddressTest {
    private final MockEnvironment settings = new MockEnvironment();
    private final ServiceAddress address = new ServiceAddress(settings);

    ServiceAddressTest() {
        settings.setConversionService(new ApplicationConversionService());
    }

    private void set(String name, String value) {
        settings.setProperty(name, value);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:80",
        "0.0.0.0,   http://127.0.0.1:80",
        "::,        http://127.0.0.1:80",
        "10.1.2.3,  http://10.1.2.3:80",
        "::1,       http://[::1]:80",
        "fd00::1,   http://[fd00:0:0:0:0:0:0:1]:80"
    })
    void the_host_is_the_address_or_loopback_if_it_stands_for_all(String listening, String url) {
        set("local.server.port", "80");
        set("server.address", listening);

        assertThat(address.url()).contains(url);
    }

    @Test
    void the_scheme_and_the_context_path_are_part_of_the_url() {
        set("local.server.port", "8443");
        set("server.servlet.context-path", "/office");
        set("server.ssl.bundle", "some");

        assertThat(address.url()).contains("https://127.0.0.1:8443/office");
    }

    @Test
    void there_is_no_url_before_the_service_listens() {
        assertThat(address.url()).isEmpty();
        assertThat(address.managementUrl()).isEmpty();
    }

    @Test
    void the_management_endpoints_have_a_url_only_on_a_port_of_their_own() {
        set("local.server.port", "8080");
        set("local.management.port", "8080");
        assertThat(address.managementUrl()).isEmpty();

        set("local.management.port", "9090");
        set("management.server.address", "127.0.0.2");
        set("management.server.base-path", "/office");
        set("management.endpoints.web.base-path", "/manage");
        assertThat(address.managementUrl()).contains("http://127.0.0.2:9090/office/manage");
    }

    @Test
    void the_management_port_has_the_tls_of_the_service_unless_it_has_settings_of_its_own() {
        set("local.server.port", "8443");
        set("local.management.port", "9443");
        set("server.ssl.bundle", "some");
        assertThat(address.managementUrl()).contains("https://127.0.0.1:9443/actuator");

        set("management.server.ssl.enabled", "false");
        assertThat(address.managementUrl()).contains("http://127.0.0.1:9443/actuator");
    }
}
