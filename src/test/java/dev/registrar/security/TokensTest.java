package dev.registrar.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.TestAuthorizationServer;
import dev.registrar.http.ServiceTest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/** A service that accepts the tokens of an issuer. Each refused token differs in one point from an accepted one. */
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.security.dcb-enabled=true",
            "registrar.security.tokens.clock-skew=1m",
            "registrar.security.tokens.key-pause=10ms",
            "registrar.security.tokens.key-refresh=1s"
        })
class TokensTest {
    private static final TestAuthorizationServer ISSUER = TestAuthorizationServer.start();
    private static final TestAuthorizationServer OTHER = TestAuthorizationServer.start();
    private static final Consumer<JwtClaimsSet.Builder> OFFICE =
            claims -> claims.subject("carl").claim("roles", List.of("course-office"));

    private final Api api;

    TokensTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @DynamicPropertySource
    static void trust(DynamicPropertyRegistry registry) {
        ISSUER.settings().forEach((name, value) -> registry.add(name, () -> value));
    }

    @AfterAll
    static void stop() {
        ISSUER.close();
        OTHER.close();
    }

    private Answer get(String token) {
        return api.get("/api/courses", "Authorization", "Bearer " + token);
    }

    private void expectRefused(String token) {
        Answer refused = get(token).expectProblem(401, "unauthorized");
        assertThat(refused.header("WWW-Authenticate")).startsWith("Bearer error=\"invalid_token\"");
        assertThat(refused.text()).doesNotContain(token);
    }

    @Test
    void a_token_of_the_issuer_is_accepted_and_none_is_refused() {
        get(ISSUER.token(OFFICE)).expect(200);

        Answer refused = api.get("/api/courses").expectProblem(401, "unauthorized");
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
    }

    static Stream<Arguments> changes() {
        Instant now = Instant.now();
        return Stream.of(
                change(
                        "expired",
                        times(now.minusSeconds(500), now.minusSeconds(90)),
                        times(now.minusSeconds(500), now)),
                change("not yet valid", begin(now.plusSeconds(600)), begin(now.plusSeconds(20))),
                change("without expiry", without("exp"), without("iat")),
                change("wrong issuer", issuer(OTHER.uri()), issuer(ISSUER.uri())),
                change("issuer with a slash", issuer(ISSUER.uri() + "/"), issuer(ISSUER.uri())),
                change("without issuer", without("iss"), without("nbf")),
                change("wrong audience", audience("other"), audience("other", TestAuthorizationServer.AUDIENCE)),
                change("audience as part of a text", audience("registrar-2"), audience("registrar")),
                change("without audience", without("aud"), without("jti")),
                change("without subject", without("sub"), without("jti")));
    }

    private static Arguments change(
            String fault, Consumer<JwtClaimsSet.Builder> refused, Consumer<JwtClaimsSet.Builder> accepted) {
        return Arguments.of(Named.of(fault, OFFICE.andThen(refused)), Named.of("and not", OFFICE.andThen(accepted)));
    }

    private static Consumer<JwtClaimsSet.Builder> times(Instant issued, Instant expires) {
        return claims -> claims.issuedAt(issued).notBefore(issued).expiresAt(expires);
    }

    private static Consumer<JwtClaimsSet.Builder> begin(Instant begin) {
        return claims -> claims.notBefore(begin).expiresAt(begin.plusSeconds(300));
    }

    private static Consumer<JwtClaimsSet.Builder> issuer(String issuer) {
        return claims -> claims.issuer(issuer);
    }

    private static Consumer<JwtClaimsSet.Builder> audience(String... audience) {
        return claims -> claims.audience(List.of(audience));
    }

    private static Consumer<JwtClaimsSet.Builder> without(String claim) {
        return claims -> claims.claims(all -> all.remove(claim));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void a_claim_decides(Consumer<JwtClaimsSet.Builder> refused, Consumer<JwtClaimsSet.Builder> accepted) {
        expectRefused(ISSUER.signed(refused));
        get(ISSUER.signed(accepted)).expect(200);
    }

    /* The token endpoint itself gives them. */
    @Test
    void an_expired_token_of_the_token_endpoint_is_refused() {
        Instant past = Instant.now().minusSeconds(500);

        expectRefused(ISSUER.token(OFFICE.andThen(times(past, past.plusSeconds(60)))));
        expectRefused(ISSUER.token(OFFICE.andThen(audience("other"))));
        expectRefused(OTHER.token(OFFICE));
        get(ISSUER.token(OFFICE.andThen(times(past, past.plusSeconds(900))))).expect(200);
    }

    @Test
    void a_signature_of_another_key_with_the_same_id_is_refused() throws JOSEException {
        RSAKey own = ISSUER.key();
        RSAKey foreign = new RSAKey.Builder(OTHER.key()).keyID(own.getKeyID()).build();

        expectRefused(ISSUER.signed(foreign, OFFICE));
        get(ISSUER.signed(own, OFFICE)).expect(200);
    }

    @Test
    void a_changed_payload_is_refused() {
        String token = ISSUER.signed(OFFICE);
        String[] parts = token.split("\\.", -1);
        String payload = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
        String changed = parts[0] + "." + encoded(payload.replace("carl", "anna")) + "." + parts[2];

        assertThat(changed).isNotEqualTo(token);
        expectRefused(changed);
        get(token).expect(200);
    }

    static Stream<String> unsigned() {
        return Stream.of("none", "None", "NONE", "nOnE");
    }

    @ParameterizedTest
    @MethodSource("unsigned")
    void a_token_without_a_signature_is_refused(String algorithm) {
        String good = ISSUER.signed(OFFICE);
        String head = encoded("{\"alg\":\"%s\",\"kid\":\"%s\"}"
                .formatted(algorithm, ISSUER.key().getKeyID()));
        String[] parts = good.split("\\.", -1);

        expectRefused(head + "." + parts[1] + ".");
        expectRefused(head + "." + parts[1] + "." + parts[2]);
        get(good).expect(200);
    }

    static Stream<byte[]> publicKeys() throws JOSEException {
        RSAKey key = ISSUER.key();
        byte[] der = key.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
        return Stream.of(
                der,
                pem.getBytes(UTF_8),
                pem.strip().getBytes(UTF_8),
                key.getModulus().decode(),
                key.toPublicJWK().toJSONString().getBytes(UTF_8));
    }

    /* The public key is public: a check that takes it as the secret of HS256 accepts everybody's tokens. */
    @ParameterizedTest
    @MethodSource("publicKeys")
    void the_public_key_is_no_secret_for_hs256(byte[] secret) throws GeneralSecurityException {
        String good = ISSUER.signed(OFFICE);
        String head = encoded(
                "{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(ISSUER.key().getKeyID()));
        String content = head + "." + good.split("\\.", -1)[1];
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        byte[] signature = mac.doFinal(content.getBytes(UTF_8));

        expectRefused(content + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature));
        get(good).expect(200);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /* Each token is new, since the result of a check is kept for a while. */
    @Test
    void a_new_key_is_fetched_and_tokens_of_a_withdrawn_one_are_refused() {
        RSAKey old = ISSUER.key();
        get(ISSUER.signed(OFFICE)).expect(200);

        ISSUER.changeKey();
        get(ISSUER.signed(OFFICE)).expect(200);
        get(ISSUER.signed(old, OFFICE)).expect(200);

        ISSUER.withdrawOldKeys();
        await().untilAsserted(() -> expectRefused(ISSUER.signed(old, OFFICE)));
        get(ISSUER.signed(OFFICE)).expect(200);
    }

    @Test
    void a_machine_client_reads_and_appends_with_its_scopes_only() {
        String reads = ISSUER.token(claims -> {}, "dcb:read");
        String appends = ISSUER.token(claims -> {}, "dcb:append");
        String both = ISSUER.token(claims -> {}, "dcb:read", "dcb:append");

        append(appends).expect(200);
        append(both).expect(200);
        append(reads).expectProblem(403, "forbidden");
        append(ISSUER.token(OFFICE)).expectProblem(403, "forbidden");
        head(reads).expect(200);
        head(both).expect(200);
        head(appends).expectProblem(403, "forbidden");
        get(both).expectProblem(403, "forbidden");
    }

    @Test
    void the_token_endpoint_gives_nothing_for_a_wrong_secret() {
        HttpResponse<String> refused = ISSUER.requestToken("none", "wrong");

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).doesNotContain("access_token");
    }

    private Answer append(String token) {
        String event = "{\"events\": [{\"type\": \"Measured\", \"tags\": [\"sensor:1\"], \"data\": {}}]}";
        return api.post("/dcb/append", event, "Authorization", "Bearer " + token);
    }

    private Answer head(String token) {
        return api.get("/dcb/head", "Authorization", "Bearer " + token);
    }
}
