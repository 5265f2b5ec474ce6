package dev.registrar.security.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWKSet;
import dev.registrar.TestAuthorizationServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class IssuerEndpointsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final TestAuthorizationServer ISSUER = TestAuthorizationServer.start();

    @AfterAll
    static void stop() {
        ISSUER.close();
    }

    private static JWKSet read(String issuer, @Nullable String keySetUri) throws IOException {
        return new IssuerEndpoints(issuer, keySetUri, TIMEOUT).read();
    }

    @Test
    void the_metadata_name_the_keys_unless_a_setting_does() throws IOException {
        String key = ISSUER.key().getKeyID();

        assertThat(read(ISSUER.uri(), null).getKeyByKeyId(key)).isNotNull();
        assertThat(read("http://issuer.example", ISSUER.uri() + "/oauth2/jwks").getKeyByKeyId(key))
                .isNotNull();
        assertThat(read(ISSUER.uri(), null).containsNonPublicKeys()).isFalse();
    }

    @Test
    void metadata_of_another_issuer_are_refused() {
        assertThatThrownBy(() -> read(ISSUER.uri() + "/", null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is the metadata of the issuer '%s'".formatted(ISSUER.uri()));
    }

    @Test
    void an_answer_that_is_not_a_key_set_is_a_failure() {
        String metadata = ISSUER.uri() + "/.well-known/openid-configuration";

        assertThatThrownBy(() -> read(ISSUER.uri(), metadata))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("%s is not a key set".formatted(metadata));
        assertThatThrownBy(() -> read(ISSUER.uri(), ISSUER.uri() + "/missing"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/missing");
        assertThatThrownBy(() -> read(ISSUER.uri(), "no URL"))
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
