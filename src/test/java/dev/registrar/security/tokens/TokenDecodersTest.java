package dev.registrar.security.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/** The check of a token. Each refused token differs in one point from an accepted one. */
class TokenDecodersTest {
    private static final Duration SKEW = Duration.ofHours(1);
    private static final String ISSUER = "https://login.example.org";
    private static final RSAKey KEY = key();

    private final JwtDecoder decoder = TokenDecoders.of(
            new ImmutableJWKSet<>(new JWKSet(KEY)),
            ISSUER,
            List.of("registrar"),
            List.of(SignatureAlgorithm.RS256),
            SKEW);

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID("key").generate();
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .subject("ann")
                .audience("registrar")
                .expirationTime(in(600));
    }

    private static Date in(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    private static String token(JWTClaimsSet.Builder claims) throws JOSEException {
        return token(claims, KEY, null);
    }

    private static String token(JWTClaimsSet.Builder claims, RSAKey key, @Nullable String type) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(KEY.getKeyID())
                        .type(type == null ? null : new JOSEObjectType(type))
                        .build(),
                claims.build());
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    private void expectAccepted(String token) {
        assertThat(decoder.decode(token).getClaimAsString("iss")).isEqualTo(ISSUER);
    }

    private void expectRefused(String token) {
        assertThatThrownBy(() -> decoder.decode(token)).isInstanceOf(BadJwtException.class);
    }

    /**
     * What is refused, the claims with it, and the claims that are accepted. The times are within or beyond the skew.
     */
    static final List<Arguments> CHANGES = List.of(
            Arguments.of("expired", claims().expirationTime(in(-7200)), claims().expirationTime(in(-60))),
            Arguments.of("not yet valid", claims().notBeforeTime(in(7200)), claims().notBeforeTime(in(60))),
            Arguments.of("without expiry", claims().expirationTime(null), claims().issueTime(null)),
            Arguments.of("other issuer", claims().issuer("https://other.example"), claims()),
            Arguments.of("issuer with a slash", claims().issuer(ISSUER + "/"), claims()),
            Arguments.of("issuer in other letters", claims().issuer("HTTPS://login.example.org"), claims()),
            Arguments.of("issuer in another notation", claims().issuer("url:" + ISSUER), claims()),
            Arguments.of("without issuer", claims().issuer(null), claims()),
            Arguments.of(
                    "other audience", claims().audience("other"), claims().audience(List.of("other", "registrar"))),
            Arguments.of("audience as part of a text", claims().audience("registrar-2"), claims()),
            Arguments.of("without audience", claims().audience((String) null), claims()),
            Arguments.of("without subject", claims().subject(null), claims()));

    @ParameterizedTest(name = "{0}")
    @FieldSource("CHANGES")
    void a_claim_decides(String fault, JWTClaimsSet.Builder refused, JWTClaimsSet.Builder accepted)
            throws JOSEException {
        expectRefused(token(refused));
        expectAccepted(token(accepted));
    }

    @ParameterizedTest
    @CsvSource({"JWT, true", "at+jwt, true", "logout+jwt, false"})
    void a_type_decides(String type, boolean accepted) throws JOSEException {
        String token = token(claims(), KEY, type);

        if (accepted) {
            expectAccepted(token);
        } else {
            expectRefused(token);
        }
    }

    @Test
    void a_signature_of_another_key_with_the_same_id_or_over_other_claims_is_refused() throws JOSEException {
        String good = token(claims());
        String[] parts = good.split("\\.", -1);
        String changed = encoded(new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8).replace("ann", "bob"));

        expectRefused(token(claims(), key(), null));
        expectRefused(parts[0] + "." + changed + "." + parts[2]);
        expectAccepted(good);
    }

    @Test
    void a_token_without_a_signature_is_refused() throws JOSEException {
        String[] parts = token(claims()).split("\\.", -1);
        for (String algorithm : List.of("none", "None", "NONE", "nOnE")) {
            String head = encoded("{\"alg\":\"%s\",\"kid\":\"key\"}".formatted(algorithm));
            expectRefused(head + "." + parts[1] + ".");
            expectRefused(head + "." + parts[1] + "." + parts[2]);
        }
    }

    /* The public key is public: a check that takes it as the secret of HS256 accepts everybody's tokens. */
    @Test
    void the_public_key_is_no_secret_for_hs256() throws JOSEException, GeneralSecurityException {
        byte[] der = KEY.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
        String content = encoded("{\"alg\":\"HS256\",\"kid\":\"key\"}") + "."
                + token(claims()).split("\\.", -1)[1];
        for (byte[] secret : Stream.of(
                        der,
                        pem.getBytes(UTF_8),
                        pem.strip().getBytes(UTF_8),
                        KEY.getModulus().decode(),
                        KEY.toPublicJWK().toJSONString().getBytes(UTF_8))
                .toList()) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            expectRefused(content + "."
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(content.getBytes(UTF_8))));
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }
}
