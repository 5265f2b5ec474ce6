package dev.registrar.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.registrar.security.session.ConsoleLogin;
import dev.registrar.security.session.IssuerLogin;
import dev.registrar.security.tokens.TokenSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/**
 * The part of an issuer at which the console exchanges a code for tokens. A test says which access token a code stands
 * for, so that any caller of {@link TestIssuer} can log in with a browser.
 */
public final class TestLogins {
    static final String AUTHORIZE = TestIssuer.URL + "/authorize";
    private static final String CLIENT = "console";
    private static final Map<String, Login> LOGINS = new ConcurrentHashMap<>();
    private static final HttpServer SERVER = start();

    private record Login(String accessToken, String idToken, String challenge) {}

    private TestLogins() {}

    /** The console's registration at {@link TestIssuer}. */
    @TestConfiguration(proxyBeanMethods = false)
    public static class Registration {
        @Bean
        ClientRegistrationRepository consoleClients() {
            ClientRegistration client = ClientRegistration.withRegistrationId("registrar")
                    .clientId(CLIENT)
                    .clientSecret("secret")
                    .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                    .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                    .scope("openid")
                    .authorizationUri(AUTHORIZE)
                    .tokenUri("http://127.0.0.1:%s/token"
                            .formatted(SERVER.getAddress().getPort()))
                    .issuerUri(TestIssuer.URL)
                    .build();
            return id -> id.equals("registrar") ? client : null;
        }

        @Bean
        JwtDecoderFactory<ClientRegistration> idTokens(TokenSettings settings) {
            return client -> TestIssuer.decoder(settings, CLIENT);
        }

        @Bean
        ConsoleLogin consoleLogin(
                ClientRegistrationRepository clients, CheckedTokens tokens, TokenSettings settings, Refusals refusals) {
            return new IssuerLogin(clients, tokens, settings, refusals);
        }
    }

    /** A code with which a login that began with this nonce and challenge gets this access token, once. */
    static String code(String accessToken, String nonce, String challenge) {
        String idToken = TestIssuer.token(
                "person", claims -> claims.audience(List.of(CLIENT)).claim("nonce", nonce));
        String code = UUID.randomUUID().toString();
        LOGINS.put(code, new Login(accessToken, idToken, challenge));
        return code;
    }

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/token", TestLogins::exchange);
            server.start();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void exchange(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> form =
                    fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            Login login = LOGINS.remove(form.getOrDefault("code", ""));
            String answer = login != null && login.challenge().equals(challenge(form.getOrDefault("code_verifier", "")))
                    ? "{\"token_type\": \"Bearer\", \"expires_in\": 300, \"access_token\": \"%s\", \"id_token\": \"%s\"}"
                            .formatted(login.accessToken(), login.idToken())
                    : "{\"error\": \"invalid_grant\"}";
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.contains("error") ? 400 : 200, answer.length());
            exchange.getResponseBody().write(answer.getBytes(UTF_8));
        }
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** The fields of a form or a query. */
    static Map<String, String> fields(String encoded) {
        return Arrays.stream(encoded.split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> URLDecoder.decode(pair[0], UTF_8),
                        pair -> pair.length < 2 ? "" : URLDecoder.decode(pair[1], UTF_8),
                        (first, second) -> first));
    }
}
