package dev.registrar.security.demo;

import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.SelfSigned;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.TestBrowser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
class EncryptedLoginTest {
    private static final SelfSigned CERTIFICATE = SelfSigned.create();
    private static final Pattern FORGERY_TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

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

    private static String path(HttpResponse<String> redirect) {
        URI target = URI.create(location(redirect));
        return target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    }

    /* Each step is that of a browser, which follows the redirects of the service. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void a_person_logs_in_with_a_self_signed_certificate(String host) {
        TestBrowser browser = TestBrowser.encrypted(host, port, CERTIFICATE);

        String begin = path(browser.open("/console/projections"));
        String authorize = path(browser.open(begin));
        assertThat(path(browser.open(authorize))).isEqualTo("/login");
        Matcher token = FORGERY_TOKEN.matcher(browser.open("/login").body());
        assertThat(token.find()).isTrue();
        String again = path(browser.submit(
                "/login", "username", "operator", "password", login.password(), "_csrf", token.group(1)));
        String callback = path(browser.open(again));
        assertThat(callback).startsWith(TestBrowser.CALLBACK + "?code=");

        assertThat(path(browser.open(callback))).isEqualTo("/console/projections");
        HttpResponse<String> page = browser.open("/console/projections");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(browser.submit("/console/logout", "_csrf", TestBrowser.csrf(page))
                        .statusCode())
                .isEqualTo(302);
        assertThat(path(browser.open("/console/projections"))).isEqualTo(begin);
    }

    @Test
    void every_cookie_is_sent_with_tls_only() {
        List<String> cookies = TestBrowser.encrypted("127.0.0.1", port, CERTIFICATE)
                .open(TestBrowser.LOGIN)
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
