package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.address.ServiceAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** A management port of its own has a web server of its own, which checks requests as the service's does. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = {"management.server.port=0", "management.server.address=127.0.0.1"})
class ManagementPortTest {
    private final RawClient service;
    private final RawClient management;
    private final ServiceAddress address;
    private final Servers servers;
    private final int port;

    ManagementPortTest(
            @LocalServerPort int port,
            @LocalManagementPort int managementPort,
            @Autowired ServiceAddress address,
            @Autowired Servers servers) {
        this.service = new RawClient(port);
        this.management = new RawClient(managementPort);
        this.port = managementPort;
        this.address = address;
        this.servers = servers;
    }

    /** The most connections of each port, as its server knows them. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Servers implements ApplicationListener<WebServerInitializedEvent> {
        private final Map<Integer, Object> maxConnections = new ConcurrentHashMap<>();

        @Override
        public void onApplicationEvent(WebServerInitializedEvent started) {
            TomcatWebServer server = (TomcatWebServer) started.getWebServer();
            maxConnections.put(
                    server.getPort(), server.getTomcat().getConnector().getProperty("maxConnections"));
        }
    }

    /* The limits of requests do not apply there. */
    @Test
    void the_port_has_few_connections_of_its_own() {
        assertThat(servers.maxConnections).hasSize(2).containsEntry(port, 200).containsValue(4_000);
    }

    private RawClient.Response send(String requestLine, String host, String headers) {
        return management.send("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: 0\r\n\r\n"
                .formatted(requestLine, host, headers));
    }

    @Test
    void the_management_endpoints_are_on_their_port_alone() {
        assertThat(address.managementUrl()).contains("http://127.0.0.1:%d/actuator".formatted(port));
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

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "localhost.attacker.example:8080", "0.0.0.0"})
    void a_request_for_another_name_is_refused(String host) {
        RawClient.Response refused = send("GET /actuator/metrics", host, "");

        refused.expectProblem(403, "forbidden", "/actuator/metrics");
        assertThat(refused.json().path("detail").asString())
                .contains("registrar.security.allowed-hosts")
                .contains(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://localhost:1", "Sec-Fetch-Site: cross-site"})
    void a_write_from_a_page_of_another_origin_is_refused(String header) {
        String path = "/actuator/health";

        send("POST " + path, "localhost:" + port, header + "\r\n").expectProblem(403, "forbidden", path);
        assertThat(send("POST " + path, "localhost:" + port, "").status()).isEqualTo(405);
    }
}
