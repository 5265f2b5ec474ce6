package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.address.ServiceAddress;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A management port of its own has a web server of its own, which checks requests as the service's does. */
@ServiceWithOtherSettingsTest
class ManagementPortTest {
    private final RawClient service;
    private final RawClient management;
    private final ServiceAddress address;
    private final ServiceWithOtherSettingsTest.Servers servers;
    private final int port;

    ManagementPortTest(
            @LocalServerPort int port,
            @LocalManagementPort int managementPort,
            @Autowired ServiceAddress address,
            @Autowired ServiceWithOtherSettingsTest.Servers servers) {
        this.service = new RawClient(port);
        this.management = new RawClient(managementPort);
        this.port = managementPort;
        this.address = address;
        this.servers = servers;
    }

    /* The limits of requests do not apply there. */
    @Test
    void the_port_has_few_connections_of_its_own() {
        assertThat(servers.maxConnections)
                .hasSize(2)
                .containsEntry(port, 200)
                .containsValue(ServiceWithOtherSettingsTest.MAX_CONNECTIONS);
    }

    private RawClient.Response send(String requestLine, String host, String headers) {
        return management.send("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: 0\r\n\r\n"
                .formatted(requestLine, host, headers));
    }

    @Test
    void the_management_endpoints_are_on_their_port_alone() {
        assertThat(address.managementUrl()).contains("http://127.0.0.1:%s/actuator".formatted(port));
        assertThat(management.get("/actuator/health/readiness").status()).isEqualTo(200);
        assertThat(management.get("/actuator/prometheus").body()).contains("registrar_store_queue_size");
        assertThat(management.get("/api/courses").status()).isEqualTo(404);
        assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(404);
    }

    @Test
    void answers_have_the_headers_and_errors_of_the_service() {
        RawClient.Response health = management.get("/actuator/health/readiness");

        assertThat(health.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(health.header("Content-Security-Policy")).startsWith("default-src 'none'");
        management.get("/actuator/a%2Fb").expectProblem(400, "bad-request", "/actuator/a%2Fb");
    }

    @Test
    void a_request_for_another_name_or_a_write_from_another_origin_is_refused() {
        String path = "/actuator/health";
        String own = "localhost:" + port;

        send("GET " + path, "attacker.example", "").expectProblem(403, "forbidden", path);
        send("POST " + path, own, "Origin: http://localhost:1\r\n").expectProblem(403, "forbidden", path);
        assertThat(send("POST " + path, own, "").status()).isEqualTo(405);
    }
}
