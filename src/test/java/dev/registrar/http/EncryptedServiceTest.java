package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.SelfSigned;
import dev.registrar.http.address.HttpRehearsal;
import dev.registrar.http.address.ServiceAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * A service with TLS below a context path, which requires a certificate of its clients and whose own comes from files
 * that are replaced while it runs; its management port does without TLS.
 */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@ExtendWith(OutputCaptureExtension.class)
class EncryptedServiceTest {
    private static final SelfSigned FIRST = SelfSigned.create();
    private static final SelfSigned KNOWN = SelfSigned.create();

    @TempDir
    private static Path folder;

    private final int port;
    private final ServiceAddress address;
    private final HttpRehearsal rehearsal;

    EncryptedServiceTest(
            @LocalServerPort int port, @Autowired ServiceAddress address, @Autowired HttpRehearsal rehearsal) {
        this.port = port;
        this.address = address;
        this.rehearsal = rehearsal;
    }

    @DynamicPropertySource
    static void with_tls(DynamicPropertyRegistry settings) throws IOException {
        Files.writeString(certificate(), FIRST.certificatePem());
        Files.writeString(key(), FIRST.keyPem());
        Path known = Files.writeString(folder.resolve("known.crt"), KNOWN.certificatePem());
        settings.add("server.ssl.bundle", () -> "service");
        settings.add("server.ssl.client-auth", () -> "need");
        settings.add("spring.ssl.bundle.pem.service.reload-on-update", () -> "true");
        settings.add(
                "spring.ssl.bundle.pem.service.keystore.certificate",
                () -> certificate().toUri());
        settings.add("spring.ssl.bundle.pem.service.keystore.private-key", () -> key().toUri());
        settings.add("spring.ssl.bundle.pem.service.keystore.verify-keys", () -> "true");
        settings.add("spring.ssl.bundle.pem.service.truststore.certificate", known::toUri);
        settings.add("spring.ssl.bundle.watch.file.quiet-period", () -> "200ms");
        settings.add("server.servlet.context-path", () -> "/office");
        settings.add("management.server.port", () -> "0");
        settings.add("management.server.address", () -> "127.0.0.1");
        settings.add("management.server.ssl.enabled", () -> "false");
    }

    @Test
    void only_a_client_with_a_known_certificate_is_answered() throws Exception {
        SelfSigned unknown = SelfSigned.create();
        String courses = address.url().orElseThrow() + "/api/courses";

        assertThat(courses).isEqualTo("https://127.0.0.1:%s/office/api/courses".formatted(port));
        assertThat(status(KNOWN.trusting(FIRST.certificate()), courses)).isEqualTo(200);
        assertThatThrownBy(() -> status(unknown.trusting(FIRST.certificate()), courses))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> status(FIRST.trusted(), courses)).isInstanceOf(IOException.class);
        assertThat(new RawClient(port).get("/office/api/courses").status()).isEqualTo(400);
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

        assertThat(url).startsWith("http://127.0.0.1:");
        assertThat(status(SSLContext.getDefault(), url + "/health/liveness")).isEqualTo(200);
    }

    @Test
    void a_replaced_certificate_is_served_without_a_restart_and_a_broken_one_is_not(CapturedOutput output)
            throws Exception {
        SelfSigned second = SelfSigned.create();
        replaceBy(second);
        await().until(() -> isServed(second));
        assertThat(isServed(FIRST)).isFalse();

        SelfSigned.replace(certificate(), "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n");
        await().until(() -> failures(output) == 1);
        assertThat(isServed(second)).isTrue();

        SelfSigned third = SelfSigned.create();
        SelfSigned.replace(certificate(), third.certificatePem());
        await().until(() -> failures(output) == 2);
        assertThat(isServed(second))
                .as("without the key of the new certificate")
                .isTrue();
        SelfSigned.replace(key(), third.keyPem());
        await().until(() -> isServed(third));
        replaceBy(FIRST);
        await().until(() -> isServed(FIRST));
    }

    private static Path certificate() {
        return folder.resolve("registrar.crt");
    }

    private static Path key() {
        return folder.resolve("registrar.key");
    }

    private static void replaceBy(SelfSigned replacement) throws IOException {
        SelfSigned.replace(key(), replacement.keyPem());
        SelfSigned.replace(certificate(), replacement.certificatePem());
    }

    private static long failures(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("Unexpected SSL reload error"))
                .count();
    }

    private boolean isServed(SelfSigned expected) throws IOException, GeneralSecurityException, InterruptedException {
        try {
            return status(
                            KNOWN.trusting(expected.certificate()),
                            "https://localhost:%s/office/v3/api-docs".formatted(port))
                    == 200;
        } catch (SSLHandshakeException other) {
            return false;
        }
    }

    private static int status(SSLContext tls, String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .statusCode();
        }
    }
}
