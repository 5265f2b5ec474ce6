package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.SelfSigned;
import dev.registrar.http.address.HttpRehearsal;
import dev.registrar.http.address.ServiceAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A service with TLS that requires a certificate of its clients, and a management port without TLS. */
@ServiceTest
@DirtiesContext
class ClientCertificateTest {
    private static final SelfSigned SERVICE = SelfSigned.create();
    private static final SelfSigned KNOWN = SelfSigned.create();

    private final ServiceAddress address;
    private final HttpRehearsal rehearsal;

    ClientCertificateTest(@Autowired ServiceAddress address, @Autowired HttpRehearsal rehearsal) {
        this.address = address;
        this.rehearsal = rehearsal;
    }

    @DynamicPropertySource
    static void with_client_certificates(DynamicPropertyRegistry settings) {
        settings.add("server.ssl.bundle", () -> "service");
        settings.add("server.ssl.client-auth", () -> "need");
        settings.add("spring.ssl.bundle.pem.service.keystore.certificate", SERVICE::certificatePem);
        settings.add("spring.ssl.bundle.pem.service.keystore.private-key", SERVICE::keyPem);
        settings.add("spring.ssl.bundle.pem.service.truststore.certificate", KNOWN::certificatePem);
        settings.add("management.server.port", () -> "0");
        settings.add("management.server.address", () -> "127.0.0.1");
        settings.add("management.server.ssl.enabled", () -> "false");
    }

    @Test
    void only_a_client_with_a_known_certificate_is_answered() throws Exception {
        SelfSigned unknown = SelfSigned.create();
        String url = address.url().orElseThrow() + "/api/courses";

        assertThat(status(KNOWN.trusting(SERVICE.certificate()), url)).isEqualTo(200);
        assertThatThrownBy(() -> status(unknown.trusting(SERVICE.certificate()), url))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> status(SERVICE.trusted(), url)).isInstanceOf(IOException.class);
    }

    @Test
    void the_warm_up_goes_without_requests() throws Exception {
        try (HttpClient client = rehearsal.client()) {
            assertThat(rehearsal.once(client)).isFalse();
        }
    }

    @Test
    void the_management_port_can_do_without_tls() throws Exception {
        String url = address.managementUrl().orElseThrow();

        assertThat(url).startsWith("http://127.0.0.1:").endsWith("/actuator");
        assertThat(status(SERVICE.trusted(), url + "/health/liveness")).isEqualTo(200);
    }

    private static int status(SSLContext tls, String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .statusCode();
        }
    }
}
