package dev.registrar.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.registrar.SelfSigned;
import dev.registrar.security.AccessMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.mock.env.MockEnvironment;

/** The requests of the warm-up: their address, and when none are sent. */
class HttpRehearsalTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer service;

    HttpRehearsalTest() throws IOException {
        service = started(HttpServer.create());
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "localhost"})
    void each_kind_of_request_is_sent_to_the_service_itself(String address) throws Exception {
        assertThat(once(environment().withProperty("server.address", address))).isTrue();
        assertThat(received).containsExactlyInAnyOrder("GET /api", "PUT /api", "POST /api", "POST /api");
    }

    @Test
    void requests_are_sent_below_the_context_path() throws Exception {
        assertThat(once(environment().withProperty("server.servlet.context-path", "/office")))
                .isTrue();
        assertThat(received).contains("GET /office/api");
    }

    @Test
    void a_service_with_tls_gets_requests_if_it_has_its_own_certificate() throws Exception {
        SelfSigned own = SelfSigned.create();
        SelfSigned other = SelfSigned.create();
        stop();
        HttpsServer encrypted = HttpsServer.create();
        encrypted.setHttpsConfigurator(new HttpsConfigurator(own.trusting(own.certificate())));
        service = started(encrypted);

        assertThat(once(environment()
                        .withProperty("server.ssl.certificate", other.certificatePem())
                        .withProperty("server.ssl.certificate-private-key", other.keyPem())))
                .isFalse();
        assertThat(received).isEmpty();
        assertThat(once(environment()
                        .withProperty("server.ssl.certificate", own.certificatePem())
                        .withProperty("server.ssl.certificate-private-key", own.keyPem())))
                .isTrue();
        assertThat(received).hasSize(4);
    }

    @Test
    void a_service_with_disabled_tls_gets_requests() throws Exception {
        assertThat(once(environment()
                        .withProperty("server.ssl.key-store", "some")
                        .withProperty("server.ssl.enabled", "false")))
                .isTrue();
        assertThat(received).hasSize(4);
    }

    @Test
    void an_unreachable_service_is_not_tried_again() throws Exception {
        stop();

        assertThat(once(environment())).isFalse();
        assertThat(once(new MockEnvironment())).isFalse();
    }

    private static boolean once(MockEnvironment environment) throws InterruptedException {
        HttpRehearsal rehearsal =
                new HttpRehearsal(new ServiceAddress(environment, new DefaultSslBundleRegistry()), AccessMode.LOCAL);
        try (HttpClient client = rehearsal.client()) {
            return rehearsal.once(client);
        }
    }

    private <S extends HttpServer> S started(S server) throws IOException {
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            received.add(exchange.getRequestMethod() + " " + path.substring(0, path.indexOf("/api") + 4));
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        return server;
    }

    /* Like the environment of an application, which converts addresses. */
    private MockEnvironment environment() {
        MockEnvironment environment = new MockEnvironment();
        environment.setConversionService(new ApplicationConversionService());
        return environment.withProperty(
                "local.server.port", Integer.toString(service.getAddress().getPort()));
    }
}
