package dev.registrar.security.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.SelfSigned;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.TestBrowser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/** Persons log in to a console with TLS, whose certificate no authority has signed. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = "registrar.demo-login=true")
@Tag("thorough")
class EncryptedLoginTest {
    private static final SelfSigned CERTIFICATE = SelfSigned.create();

    @TempDir
    private static Path folder;

    private final int port;
    private final DemoLogin login;

    @Autowired
    EncryptedLoginTest(@LocalServerPort int port, DemoLogin login) {
        this.port = port;
        this.login = login;
    }

    @DynamicPropertySource
    static void with_tls(DynamicPropertyRegistry settings) throws IOException {
        Path certificate = Files.writeString(folder.resolve("registrar.crt"), CERTIFICATE.certificatePem());
        Path key = Files.writeString(folder.resolve("registrar.key"), CERTIFICATE.keyPem());
        settings.add("server.ssl.bundle", () -> "service");
        settings.add("spring.ssl.bundle.pem.service.keystore.certificate", certificate::toUri);
        settings.add("spring.ssl.bundle.pem.service.keystore.private-key", key::toUri);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void a_person_logs_in_with_a_self_signed_certificate(String host) {
        TestBrowser browser = TestBrowser.encrypted(host, port, CERTIFICATE);
        DemoLoginTest.logIn(browser, "/console/projections", "operator", login.password());

        assertThat(browser.open("/console/projections").statusCode()).isEqualTo(200);
    }

    @Test
    void every_cookie_is_sent_with_tls_only() {
        List<String> cookies = TestBrowser.encrypted("127.0.0.1", port, CERTIFICATE)
                .open("/console/login")
                .headers()
                .allValues("Set-Cookie");

        assertThat(cookies)
                .isNotEmpty()
                .allSatisfy(cookie -> assertThat(cookie).contains("Secure", "HttpOnly", "SameSite=Lax"));
    }

    /* A browser applies it to all ports of a name, and localhost belongs to every program on the machine. */
    @Test
    void a_browser_uses_tls_from_then_on_except_for_localhost() {
        String header = "Strict-Transport-Security";

        assertThat(TestBrowser.encrypted("127.0.0.1", port, CERTIFICATE)
                        .open("/")
                        .headers()
                        .firstValue(header))
                .hasValue("max-age=31536000");
        assertThat(TestBrowser.encrypted("localhost", port, CERTIFICATE)
                        .open("/")
                        .headers()
                        .firstValue(header))
                .isEmpty();
    }
}
