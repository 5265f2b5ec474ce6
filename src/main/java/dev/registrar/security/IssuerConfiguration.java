package dev.registrar.security;

import dev.registrar.security.tokens.TokenDecoders;
import dev.registrar.security.tokens.TokenSettings;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * The check of the tokens of an issuer, instead of Spring Boot's: it bounds how often the issuer's keys are fetched.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(IssuerConfiguration.WithIssuer.class)
class IssuerConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerConfiguration.class);

    /** Reads the mode from the settings. */
    static final class WithIssuer implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AccessMode.of(context.getEnvironment()) == AccessMode.TOKENS;
        }
    }

    @Bean
    CheckedTokens accessTokens(JwtDecoder decoder, SecuritySettings settings, InstantSource clock) {
        return new CheckedTokens(decoder, new TokenCallers(settings.rolesClaim(), settings.studentClaim()), clock);
    }

    @Bean
    JwtDecoder issuerTokens(
            OAuth2ResourceServerProperties properties, TokenSettings settings, Environment environment) {
        List<String> unprotected = IssuerSettings.unprotected(environment);
        if (!unprotected.isEmpty()) {
            LOG.warn(
                    "Plain HTTP in {}: who can change the traffic to the issuer can make tokens. Use https",
                    String.join(" and ", unprotected));
        }
        OAuth2ResourceServerProperties.Jwt issuer = properties.getJwt();
        List<String> audiences =
                issuer.getAudiences().stream().filter(name -> !name.isBlank()).toList();
        List<SignatureAlgorithm> algorithms = issuer.getJwsAlgorithms().stream()
                .map(IssuerConfiguration::algorithm)
                .toList();
        return new TokenDecoders(settings)
                .ofIssuer(
                        Objects.requireNonNull(issuer.getIssuerUri()),
                        issuer.getJwkSetUri(),
                        audiences,
                        algorithms,
                        List.of());
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
