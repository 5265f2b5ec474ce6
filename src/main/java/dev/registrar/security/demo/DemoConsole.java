package dev.registrar.security.demo;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;

/**
 * The console as a client of the demo's issuer. The browser is sent to the issuer by a path alone, so that it stays at
 * the name by which it came; the service itself reaches the issuer at the address on which both listen.
 */
final class DemoConsole implements ClientRegistrationRepository {
    private static final String ID = "registrar";

    private final DemoLogin login;
    private final Environment environment;

    DemoConsole(DemoLogin login, Environment environment) {
        this.login = login;
        this.environment = environment;
    }

    /* At each login: the port is known only after the start. */
    @Override
    public @Nullable ClientRegistration findByRegistrationId(String id) {
        if (!id.equals(ID)) {
            return null;
        }
        return ClientRegistration.withRegistrationId(ID)
                .clientId(DemoClients.CONSOLE)
                .clientSecret(login.password())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                .scope(OidcScopes.OPENID)
                .authorizationUri("/oauth2/authorize")
                .tokenUri(url() + "/oauth2/token")
                .issuerUri(login.issuer())
                .build();
    }

    private String url() {
        String address = environment.getProperty("server.address", "127.0.0.1");
        return "%s://%s:%s"
                .formatted(
                        DemoLogin.scheme(environment),
                        address.contains(":") && !address.startsWith("[") ? "[%s]".formatted(address) : address,
                        environment.getRequiredProperty("local.server.port"));
    }
}
