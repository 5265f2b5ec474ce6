package dev.registrar.security.session;

import dev.registrar.security.CheckedTokens;
import dev.registrar.security.Refusals;
import dev.registrar.security.tokens.TokenSettings;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientPropertiesMapper;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenDecoderFactory;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/** The login at the issuer of the access tokens, if the console is registered there. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ClientProperties.class)
@ConditionalOnProperty("spring.security.oauth2.client.registration.registrar.client-id")
class IssuerLoginConfiguration {

    /** Instead of Spring Boot's, which asks the issuer when the service starts: the issuer may be down then. */
    @Bean
    ClientRegistrationRepository consoleClients(
            OAuth2ClientProperties clients, OAuth2ResourceServerProperties resources, TokenSettings settings) {
        addIssuer(clients, resources.getJwt());
        return new IssuerClients(
                () -> new InMemoryClientRegistrationRepository(
                        new OAuth2ClientPropertiesMapper(clients).asClientRegistrations()),
                settings.keyPause(),
                System::nanoTime);
    }

    /* The issuer of the access tokens and its keys, unless the settings of the client name a provider. */
    private static void addIssuer(OAuth2ClientProperties clients, OAuth2ResourceServerProperties.Jwt issuer) {
        OAuth2ClientProperties.Registration console =
                Objects.requireNonNull(clients.getRegistration().get(ConsolePaths.REGISTRATION));
        if (console.getProvider() == null) {
            OAuth2ClientProperties.Provider provider = new OAuth2ClientProperties.Provider();
            provider.setIssuerUri(issuer.getIssuerUri());
            provider.setJwkSetUri(issuer.getJwkSetUri());
            clients.getProvider().putIfAbsent(ConsolePaths.REGISTRATION, provider);
        }
        if (console.getScope() == null || console.getScope().isEmpty()) {
            console.setScope(Set.of(OidcScopes.OPENID));
        }
    }

    @Bean
    ConsoleLogin consoleLogin(
            ClientRegistrationRepository clients, CheckedTokens tokens, TokenSettings settings, Refusals refusals) {
        return new IssuerLogin(clients, tokens, settings, refusals);
    }

    /** With the first of the algorithms that the access tokens may have. */
    @Bean
    JwtDecoderFactory<ClientRegistration> idTokens(OAuth2ResourceServerProperties resources) {
        String name = resources.getJwt().getJwsAlgorithms().getFirst();
        SignatureAlgorithm algorithm = Objects.requireNonNull(SignatureAlgorithm.from(name));
        OidcIdTokenDecoderFactory decoders = new OidcIdTokenDecoderFactory();
        decoders.setJwsAlgorithmResolver(client -> algorithm);
        return decoders;
    }
}
