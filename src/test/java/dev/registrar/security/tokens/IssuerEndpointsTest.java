package dev.registrar.security.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class IssuerEndpointsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String KEYS =
            "{\"keys\": [{\"kty\": \"RSA\", \"kid\": \"key\", \"e\": \"AQAB\", \"n\": \"%s\"}]}"
                    .formatted("u".repeat(342));
    private static final HttpServer SERVER = start();
    private static final String ISSUER =
            "http://127.0.0.1:%d".formatted(SERVER.getAddress().getPort());

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/keys", exchange -> answer(exchange, KEYS));
            server.createContext(
                    "/.well-known/openid-configuration",
                    exchange ->
                            answer(exchange, "{\"issuer\": \"%1$s\", \"jwks_uri\": \"%1$s/keys\"}".formatted(ISSUER)));
            server.start();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @AfterAll
    static void stop() {
        SERVER.stop(0);
    }

    private static JWKSet read(String issuer, @Nullable String keySetUri) throws IOException {
        return new IssuerEndpoints(issuer, keySetUri, TIMEOUT).read();
    }

    @Test
    void the_metadata_name_the_keys_unless_a_setting_does() throws IOException {
        assertThat(read(ISSUER, null).getKeyByKeyId("key")).isNotNull();
        assertThat(read("http://issuer.example", ISSUER + "/keys").getKeyByKeyId("key"))
                .isNotNull();
    }

    @Test
    void metadata_of_another_issuer_are_refused() {
        assertThatThrownBy(() -> read(ISSUER + "/", null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is the metadata of the issuer '%s'".formatted(ISSUER));
    }

    @Test
    void an_answer_that_is_not_a_key_set_is_a_failure() {
        String metadata = ISSUER + "/.well-known/openid-configuration";

        assertThatThrownBy(() -> read(ISSUER, metadata))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("%s is not a key set".formatted(metadata));
        assertThatThrownBy(() -> read(ISSUER, ISSUER + "/missing"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/missing");
        assertThatThrownBy(() -> read(ISSUER, "no URL"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("'no URL' is not a URL");
    }

    @Test
    void an_issuer_that_does_not_answer_is_a_failure() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String uri = "http://127.0.0.1:%d/keys".formatted(silent.getLocalPort());

            assertThatThrownBy(() -> new IssuerEndpoints("http://issuer.example", uri, Duration.ofMillis(50)).read())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("timed out");
        }
    }
}
