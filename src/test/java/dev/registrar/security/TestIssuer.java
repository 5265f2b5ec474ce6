package dev.registrar.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import dev.registrar.security.tokens.TokenDecoders;
import dev.registrar.security.tokens.TokenSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/** Signs access tokens with a key that the service under test accepts ({@link ServiceWithIssuerTest}). */
public final class TestIssuer {
    static final String URL = "https://issuer.example";
    static final String AUDIENCE = "registrar";

    private static final Duration LIFE = Duration.ofHours(1);
    private static final RSAKey KEY = key();
    private static final JwtEncoder ENCODER = new NimbusJwtEncoder(new ImmutableJWKSet<>(new JWKSet(KEY)));

    private static volatile boolean down;

    private TestIssuer() {}

    /** The decoder of the service under test: its own, with this issuer's key. */
    @TestConfiguration(proxyBeanMethods = false)
    public static class Keys {
        @Bean
        @Primary
        JwtDecoder jwtDecoder(TokenSettings settings) {
            return decoder(settings, AUDIENCE);
        }
    }

    /** Checks the tokens of an audience as the service does. */
    static JwtDecoder decoder(TokenSettings settings, String audience) {
        JWKSet published = new JWKSet(KEY.toPublicJWK());
        return TokenDecoders.of(
                (selector, context) -> {
                    if (down) {
                        throw new RemoteKeySourceException("The issuer is down", null);
                    }
                    return selector.select(published);
                },
                URL,
                List.of(audience),
                List.of(SignatureAlgorithm.RS256),
                settings.clockSkew());
    }

    /** Whether the issuer answers when the service asks for its keys. */
    static void setDown(boolean isDown) {
        down = isDown;
    }

    /** The settings of a service that asks for these tokens. */
    public static String[] settings() {
        return new String[] {
            "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + URL,
            "spring.security.oauth2.resourceserver.jwt.audiences=" + AUDIENCE
        };
    }

    /** The header Authorization of a person with these roles. */
    public static String[] person(String subject, Role... roles) {
        return header(token(
                subject,
                claims ->
                        claims.claim("roles", Stream.of(roles).map(Role::claim).toList())));
    }

    /** The header Authorization of the student with this id. */
    public static String[] student(String student) {
        return header(token(
                student,
                claims -> claims.claim("roles", List.of(Role.STUDENT.claim())).claim("student_id", student)));
    }

    /** The header Authorization of a program with these scopes. */
    public static String[] machine(Scope... scopes) {
        String granted = String.join(" ", Stream.of(scopes).map(Scope::claim).toList());
        return header(token("machine", claims -> claims.claim("scope", granted).claim("client_id", "machine")));
    }

    /** The header Authorization with a token of every role that expired an hour ago. */
    public static String[] expired() {
        Instant end = Instant.now().minus(LIFE);
        return header(token(
                "late",
                claims -> claims.issuedAt(end.minus(LIFE))
                        .expiresAt(end)
                        .claim(
                                "roles",
                                Stream.of(Role.values()).map(Role::claim).toList())));
    }

    /** A token that is valid for an hour, unless the further claims say otherwise. */
    public static String token(String subject, Consumer<JwtClaimsSet.Builder> further) {
        Instant now = Instant.now();
        JwtClaimsSet.Builder claims = JwtClaimsSet.builder()
                .issuer(URL)
                .audience(List.of(AUDIENCE))
                .subject(subject)
                .issuedAt(now)
                .expiresAt(now.plus(LIFE));
        further.accept(claims);
        return ENCODER.encode(JwtEncoderParameters.from(claims.build())).getTokenValue();
    }

    public static String[] header(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID("test").generate();
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
