package dev.registrar.security.session;

import dev.registrar.security.CheckedTokens;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import dev.registrar.security.tokens.TokenDecoders;
import dev.registrar.security.tokens.TokenSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientPropertiesMapper;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/** The login at the issuer of the access tokens, if the console is registered there. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ClientProperties.class)
@ConditionalOnProperty("spring.security.oauth2.client.registration.registrar.client-id")
class IssuerLoginConfiguration {

    /** Instead of Spring Boot's, which asks the issuer when the service starts. */
    @Bean
    ClientRegistrationRepository consoleClients(
            OAuth2ClientProperties clients, OAuth2ResourceServerProperties resources, TokenSettings settings) {
        addIssuer(clients, resources.getJwt().getIssuerUri());
        return new IssuerClients(
                () -> new OAuth2ClientPropertiesMapper(clients).asClientRegistrations(),
                settings.keyPause(),
                System::nanoTime);
    }

    /* The issuer of the access tokens, unless the settings of the client name a provider. */
    private static void addIssuer(OAuth2ClientProperties clients, @Nullable String issuer) {
        OAuth2ClientProperties.Registration console =
                Objects.requireNonNull(clients.getRegistration().get(ConsolePaths.REGISTRATION));
        if (console.getProvider() == null && issuer != null) {
            OAuth2ClientProperties.Provider provider = new OAuth2ClientProperties.Provider();
            provider.setIssuerUri(issuer);
            clients.getProvider().putIfAbsent(ConsolePaths.REGISTRATION, provider);
        }
        if (console.getScope() == null || console.getScope().isEmpty()) {
            console.setScope(Set.of(OidcScopes.OPENID));
        }
    }

    @Bean
    ConsoleLogin consoleLogin(
            ClientRegistrationRepository clients,
            CheckedTokens tokens,
            TokenSettings settings,
            RefusedRequests answers,
            RefusalLog log) {
        return new IssuerLogin(clients, tokens, settings, answers, log);
    }

    /** Makes one decoder for each registration, so that the keys that it has fetched are used by the next login. */
    @Bean
    JwtDecoderFactory<ClientRegistration> idTokens(OAuth2ResourceServerProperties resources, TokenSettings settings) {
        OAuth2ResourceServerProperties.Jwt issuer = resources.getJwt();
        List<SignatureAlgorithm> algorithms = issuer.getJwsAlgorithms().stream()
                .map(SignatureAlgorithm::from)
                .filter(Objects::nonNull)
                .toList();
        TokenDecoders decoders = new TokenDecoders(settings);
        Map<String, JwtDecoder> made = new ConcurrentHashMap<>();
        return client -> made.computeIfAbsent(
                client.getRegistrationId(),
                id -> decoders.ofIssuer(
                        Objects.requireNonNull(issuer.getIssuerUri()),
                        issuer.getJwkSetUri(),
                        List.of(client.getClientId()),
                        algorithms,
                        List.of(new OidcIdTokenValidator(client))));
    }
}
