package dev.registrar.security.tokens;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.MappedJwtClaimSetConverter;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Makes decoders that check tokens: signature, type, issuer, audience, time and subject. */
public final class TokenDecoders {
    private static final List<String> TYPES = List.of("JWT", "at+jwt", "application/at+jwt");

    private TokenDecoders() {}

    /**
     * A decoder of the tokens that are signed with these keys.
     *
     * @param audiences of which a token must have one, at least one
     * @param algorithms of signatures, all with a public key, at least one
     * @param clockSkew for which a token is accepted before its beginning and after its expiry
     */
    public static JwtDecoder of(
            JWKSource<SecurityContext> keys,
            String issuer,
            Collection<String> audiences,
            Collection<SignatureAlgorithm> algorithms,
            Duration clockSkew) {
        if (audiences.isEmpty() || algorithms.isEmpty()) {
            throw new IllegalArgumentException("A token's check needs an audience and an algorithm but has %s and %s"
                    .formatted(audiences, algorithms));
        }
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource(keys)
                .jwsAlgorithms(allowed -> allowed.addAll(algorithms))
                .build();
        // As it is in the token: by default, a URL in other letters such as HTTP:// would become that of the issuer.
        decoder.setClaimSetConverter(
                MappedJwtClaimSetConverter.withDefaults(Map.of(JwtClaimNames.ISS, issuerOfToken -> issuerOfToken)));
        JwtTypeValidator types = new JwtTypeValidator(TYPES);
        types.setAllowEmpty(true);
        JwtTimestampValidator times = new JwtTimestampValidator(clockSkew);
        times.setAllowEmptyExpiryClaim(false);
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                List.of(types, new JwtIssuerValidator(issuer), audience(Set.copyOf(audiences)), times, subject())));
        return decoder;
    }

    /* An ID token has the type JWT as well; its audience is the client, not this service. */
    private static OAuth2TokenValidator<Jwt> audience(Set<String> own) {
        return new JwtClaimValidator<Collection<String>>(
                JwtClaimNames.AUD, audiences -> audiences != null && !Collections.disjoint(audiences, own));
    }

    private static OAuth2TokenValidator<Jwt> subject() {
        return new JwtClaimValidator<String>(JwtClaimNames.SUB, subject -> subject != null && !subject.isBlank());
    }
}
