package dev.registrar.security.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The keys of an issuer that a test publishes, withdraws, and takes down. */
class IssuerKeysTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration LONGER = Duration.ofHours(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final AtomicInteger attempts = new AtomicInteger();
    private final HttpServer server;
    private final String issuer;
    private volatile String keys = keySet("a");
    private volatile boolean down;

    IssuerKeysTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:%s".formatted(server.getAddress().getPort());
    }

    @BeforeEach
    void start() {
        server.createContext("/keys", exchange -> {
            attempts.incrementAndGet();
            answer(exchange, keys);
        });
        server.createContext(
                "/.well-known/openid-configuration",
                exchange -> answer(exchange, "{\"issuer\": \"%1$s\", \"jwks_uri\": \"%1$s/keys\"}".formatted(issuer)));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static String keySet(String... ids) {
        return Arrays.stream(ids)
                .map(id -> "{\"kty\": \"RSA\", \"kid\": \"%s\", \"e\": \"AQAB\", \"n\": \"%s\"}"
                        .formatted(id, "u".repeat(342)))
                .collect(Collectors.joining(", ", "{\"keys\": [", "]}"));
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(down ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static TokenSettings settings(Duration refresh, Duration retention, Duration pause) {
        return new TokenSettings(Duration.ZERO, refresh, retention, pause, TIMEOUT);
    }

    private JWKSource<SecurityContext> keys(Duration refresh, Duration retention, Duration pause) {
        return IssuerKeys.of(issuer, issuer + "/keys", settings(refresh, retention, pause));
    }

    private static boolean has(JWKSource<SecurityContext> keys, String id) throws KeySourceException {
        return !keys.get(new JWKSelector(new JWKMatcher.Builder().keyID(id).build()), null)
                .isEmpty();
    }

    private static void assertUnavailable(JWKSource<SecurityContext> keys, String id) {
        assertThatThrownBy(() -> has(keys, id)).isInstanceOf(KeySourceException.class);
    }

    /* Longer than the times that are short here. The library reads the system's clock, which a test cannot set. */
    private static void pass() throws InterruptedException {
        Thread.sleep(20);
    }

    @Test
    void nothing_is_fetched_before_a_token_needs_it() throws Exception {
        JWKSource<SecurityContext> known = keys(LONGER, LONGER, LONG);
        assertThat(attempts).hasValue(0);

        assertThat(has(known, "a")).isTrue();
        assertThat(has(known, "a")).isTrue();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void unknown_keys_cost_at_most_two_attempts_in_a_pause_and_are_invalid() throws Exception {
        JWKSource<SecurityContext> known = keys(LONGER, LONGER, LONG);
        assertThat(has(known, "a")).isTrue();
        keys = keySet("a", "b");

        assertThat(has(known, "b")).isTrue();
        for (int token = 0; token < 100; token++) {
            assertThat(has(known, "invented" + token)).isFalse();
        }
        assertThat(has(known, "a")).isTrue();
        assertThat(attempts).hasValue(2);
    }

    @Test
    void a_withdrawn_key_is_used_until_the_keys_are_fetched_again() throws Exception {
        JWKSource<SecurityContext> slow = keys(LONGER, LONGER, LONG);
        JWKSource<SecurityContext> quick = keys(SHORT.multipliedBy(2), LONGER, SHORT);
        assertThat(has(slow, "a")).isTrue();
        assertThat(has(quick, "a")).isTrue();
        keys = keySet("b");
        pass();

        assertThat(has(slow, "a")).isTrue();
        assertThat(has(quick, "a")).isFalse();
        assertThat(has(quick, "b")).isTrue();
    }

    @Test
    void keys_outlast_an_issuer_that_is_down_and_then_the_answer_is_a_failure() throws Exception {
        JWKSource<SecurityContext> kept = keys(SHORT.multipliedBy(2), LONGER, SHORT);
        JWKSource<SecurityContext> dropped = keys(SHORT.multipliedBy(2), SHORT.multipliedBy(2), SHORT);
        assertThat(has(kept, "a")).isTrue();
        assertThat(has(dropped, "a")).isTrue();
        down = true;
        pass();

        assertThat(has(kept, "a")).isTrue();
        assertUnavailable(dropped, "a");

        down = false;
        pass();
        assertThat(has(dropped, "a")).isTrue();
    }

    @Test
    void an_issuer_that_is_down_costs_two_attempts_in_a_pause() {
        JWKSource<SecurityContext> known = keys(LONGER, LONGER, LONG);
        down = true;

        for (int request = 0; request < 100; request++) {
            assertUnavailable(known, "a");
        }
        assertThat(attempts).hasValue(2);
    }

    /* The key may be new. */
    @Test
    void an_unknown_key_is_a_failure_while_the_issuer_is_down() throws Exception {
        JWKSource<SecurityContext> known = keys(LONGER, LONGER, LONG);
        assertThat(has(known, "a")).isTrue();
        down = true;

        assertUnavailable(known, "b");
        assertUnavailable(known, "b");
        assertThat(has(known, "a")).isTrue();
        assertThat(attempts).hasValue(2);
    }

    private boolean isFound(String named, @Nullable String keySetUri) throws KeySourceException {
        return has(IssuerKeys.of(named, keySetUri, settings(LONGER, LONGER, LONG)), "a");
    }

    @Test
    void the_metadata_name_the_keys_unless_a_setting_does() throws Exception {
        assertThat(isFound(issuer, null)).isTrue();
        assertThat(isFound("http://issuer.example", issuer + "/keys")).isTrue();
    }

    @Test
    void what_is_no_key_set_of_the_issuer_is_a_failure() {
        String metadata = issuer + "/.well-known/openid-configuration";

        for (String other : new String[] {metadata, issuer + "/missing", "no URL"}) {
            assertThatThrownBy(() -> isFound(issuer, other)).isInstanceOf(KeySourceException.class);
        }
        keys = keySet();
        assertThatThrownBy(() -> isFound(issuer, null))
                .isInstanceOf(KeySourceException.class)
                .rootCause()
                .hasMessage(issuer + "/keys has no keys");
        assertThatThrownBy(() -> isFound(issuer + "/", null))
                .isInstanceOf(KeySourceException.class)
                .rootCause()
                .hasMessageContaining("is the metadata of the issuer '%s'".formatted(issuer));
    }

    @Test
    void an_issuer_that_does_not_answer_is_a_failure() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String uri = "http://127.0.0.1:%s/keys".formatted(silent.getLocalPort());
            TokenSettings quick = new TokenSettings(Duration.ZERO, LONGER, LONGER, LONG, Duration.ofMillis(50));

            assertThatThrownBy(() -> has(IssuerKeys.of("http://issuer.example", uri, quick), "a"))
                    .isInstanceOf(KeySourceException.class)
                    .hasRootCauseInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void a_pause_that_is_not_shorter_than_the_refresh_is_refused() {
        TokenSettings settings = new TokenSettings(Duration.ZERO, LONG, LONGER, LONG, TIMEOUT);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IssuerKeys.of(issuer, null, settings))
                .withMessage(
                        "registrar.security.tokens.key-pause (3600000 ms) must be shorter than registrar.security.tokens.key-refresh (3600000 ms)");
    }
}
