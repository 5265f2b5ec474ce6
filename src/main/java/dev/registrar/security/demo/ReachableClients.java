package dev.registrar.security.demo;

import dev.registrar.security.session.ConsolePaths;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;

/** The clients, of which the console may also be at {@code localhost} and the port that the service has got. */
final class ReachableClients implements RegisteredClientRepository {
    private final RegisteredClientRepository clients;
    private final Environment environment;

    ReachableClients(RegisteredClientRepository clients, Environment environment) {
        this.clients = clients;
        this.environment = environment;
    }

    @Override
    public void save(RegisteredClient client) {
        throw new UnsupportedOperationException("The clients of the demo are fixed");
    }

    @Override
    public @Nullable RegisteredClient findById(String id) {
        return reachable(clients.findById(id));
    }

    @Override
    public @Nullable RegisteredClient findByClientId(String clientId) {
        return reachable(clients.findByClientId(clientId));
    }

    /* With server.port=0, the port is known only after the start. */
    private @Nullable RegisteredClient reachable(@Nullable RegisteredClient client) {
        if (client == null || client.getRedirectUris().isEmpty()) {
            return client;
        }
        String port = environment.getRequiredProperty("local.server.port");
        return RegisteredClient.from(client)
                .redirectUri(
                        "%s://localhost:%s%s".formatted(DemoLogin.scheme(environment), port, ConsolePaths.CALLBACK))
                .build();
    }
}
