package dev.registrar.security;

import dev.registrar.security.tokens.IssuerKeys;
import dev.registrar.security.tokens.TokenDecoders;
import dev.registrar.security.tokens.TokenSettings;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * The check of the tokens of an issuer, instead of Spring Boot's: it bounds how often the issuer's keys are fetched.
 * Without an issuer, nothing asks for these beans.
 */
@Configuration(proxyBeanMethods = false)
@Lazy
class IssuerConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerConfiguration.class);

    /** A name is not looked up. Names below localhost are this machine, too (RFC 6761). */
    private static final Pattern PLAIN_HTTP_ELSEWHERE = Pattern.compile(
            "http://(?!(([a-z0-9-]+\\.)*localhost|127(\\.[0-9]{1,3}){3}|\\[::1])\\.?([:/?#]|$)).*",
            Pattern.CASE_INSENSITIVE);

    @Bean
    CheckedTokens accessTokens(JwtDecoder decoder, SecuritySettings settings) {
        return new CheckedTokens(decoder, new TokenCallers(settings.rolesClaim(), settings.studentClaim()));
    }

    @Bean
    JwtDecoder issuerTokens(OAuth2ResourceServerProperties properties, TokenSettings settings) {
        OAuth2ResourceServerProperties.Jwt issuer = properties.getJwt();
        List<String> unprotected = unprotected(issuer);
        if (!unprotected.isEmpty()) {
            LOG.warn(
                    "Plain HTTP to {}: who can change the traffic to the issuer can make tokens. Use https",
                    String.join(" and ", unprotected));
        }
        String name = Objects.requireNonNull(issuer.getIssuerUri());
        return TokenDecoders.of(
                IssuerKeys.of(name, issuer.getJwkSetUri(), settings),
                name,
                issuer.getAudiences().stream()
                        .filter(audience -> !audience.isBlank())
                        .toList(),
                issuer.getJwsAlgorithms().stream()
                        .map(IssuerConfiguration::algorithm)
                        .toList(),
                settings.clockSkew());
    }

    /** Those of the issuer's URLs from which keys arrive unprotected: over plain HTTP, from another machine. */
    static List<String> unprotected(OAuth2ResourceServerProperties.Jwt issuer) {
        return Stream.of(String.valueOf(issuer.getIssuerUri()), String.valueOf(issuer.getJwkSetUri()))
                .filter(url -> PLAIN_HTTP_ELSEWHERE.matcher(url).matches())
                .toList();
    }

    private static SignatureAlgorithm algorithm(String name) {
        SignatureAlgorithm algorithm = SignatureAlgorithm.from(name);
        if (algorithm == null) {
            throw new InvalidConfigurationPropertyValueException(
                    "spring.security.oauth2.resourceserver.jwt.jws-algorithms",
                    name,
                    "This is no algorithm of signatures with a public key");
        }
        return algorithm;
    }
}
