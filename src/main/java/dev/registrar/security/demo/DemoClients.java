package dev.registrar.security.demo;

import dev.registrar.security.Scope;
import dev.registrar.security.session.ConsolePaths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;

/** The clients of the demo's issuer: one for each actor, a machine client, and the web console. */
final class DemoClients {
    private static final Duration TOKEN_LIFE = Duration.ofHours(1);
    static final String CONSOLE = "console";

    private DemoClients() {}

    /** @param secret gives the encoded secret, another text for each client */
    static List<RegisteredClient> of(String issuer, Supplier<String> secret) {
        List<RegisteredClient> clients = new ArrayList<>();
        for (DemoActor actor : DemoActor.values()) {
            clients.add(machine(actor.login(), secret).build());
        }
        clients.add(machine(DemoLogin.MACHINE, secret)
                .scopes(scopes ->
                        Arrays.stream(Scope.values()).map(Scope::claim).forEach(scopes::add))
                .build());
        clients.add(console(issuer, secret));
        return clients;
    }

    private static RegisteredClient.Builder machine(String name, Supplier<String> secret) {
        return client(name, secret).authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS);
    }

    /* The issuer accepts any port of 127.0.0.1, as OAuth 2.1 demands, and for localhost only the service's own. */
    private static RegisteredClient console(String issuer, Supplier<String> secret) {
        return client(CONSOLE, secret)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                .redirectUri(issuer + ConsolePaths.CALLBACK)
                .redirectUri(issuer.replaceFirst("://.*", "://127.0.0.1") + ConsolePaths.CALLBACK)
                .scope(OidcScopes.OPENID)
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build();
    }

    private static RegisteredClient.Builder client(String name, Supplier<String> secret) {
        return RegisteredClient.withId(name)
                .clientId(name)
                .clientSecret(secret.get())
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .tokenSettings(TokenSettings.builder()
                        .accessTokenTimeToLive(TOKEN_LIFE)
                        .build());
    }
}
