package dev.registrar.security.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;

class TokenDecodersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String ISSUER = "https://login.example.org";

    private final RSAKey key = new RSAKeyGenerator(2048).keyID("key").generate();
    private final JwtDecoder decoder = new TokenDecoders(new TokenSettings(SECOND, SECOND, SECOND, SECOND, SECOND))
            .of(
                    new ImmutableJWKSet<>(new JWKSet(key)),
                    ISSUER,
                    List.of("registrar"),
                    List.of(SignatureAlgorithm.RS256));

    TokenDecodersTest() throws JOSEException {}

    @ParameterizedTest
    @ValueSource(strings = {"HTTPS://login.example.org", "url:https://login.example.org", "https://login.example.org/"})
    void the_issuer_is_compared_letter_for_letter(String other) throws JOSEException {
        String refused = token(other);

        assertThat(decoder.decode(token(ISSUER)).getClaimAsString("iss")).isEqualTo(ISSUER);
        assertThatThrownBy(() -> decoder.decode(refused)).isInstanceOf(BadJwtException.class);
    }

    private String token(String issuer) throws JOSEException {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject("ann")
                .audience("registrar")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("key").build(), claims);
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }
}
