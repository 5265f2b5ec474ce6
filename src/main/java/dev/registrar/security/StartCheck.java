package dev.registrar.security;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Refuses a start at its very beginning if the settings of the issuer are incomplete, or open the service to others.
 */
@Order(-1)
final class StartCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    static final String AUDIENCES = "spring.security.oauth2.resourceserver.jwt.audiences";

    private static final String SERVER = "server.address";
    private static final String MANAGEMENT = "management.server.address";

    /** Settings that mean tokens, but do not name who issued them. */
    private static final List<String> WITHOUT_ISSUER = List.of(
            "spring.security.oauth2.resourceserver.jwt.jwk-set-uri",
            "spring.security.oauth2.resourceserver.jwt.public-key-location",
            "spring.security.oauth2.resourceserver.opaquetoken.introspection-uri",
            "spring.security.oauth2.client.registration.registrar.client-id");

    /** @throws RefusedStartException if the settings must not be used */
    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent prepared) {
        checkIssuer(prepared.getEnvironment());
        checkAddresses(prepared.getEnvironment());
    }

    /**
     * Refuses an issuer without an audience or beside the demo login, and keys without an issuer.
     *
     * @throws RefusedStartException if tokens for other services, or of other issuers, would be accepted
     */
    static void checkIssuer(Environment environment) {
        Binder binder = Binder.get(environment);
        if (AccessMode.of(environment) != AccessMode.TOKENS) {
            for (String setting : WITHOUT_ISSUER) {
                if (!binder.bind(setting, String.class).orElse("").isBlank()) {
                    throw new RefusedStartException(
                            "%s is set but %s is not: the service would not check who issued a token."
                                    .formatted(setting, AccessMode.ISSUER),
                            "Set %s to the URL of the issuer and %s to the audience of this service's tokens."
                                    .formatted(AccessMode.ISSUER, AUDIENCES));
                }
            }
            return;
        }
        List<String> audiences =
                binder.bind(AUDIENCES, Bindable.listOf(String.class)).orElse(List.of());
        if (audiences.stream().allMatch(String::isBlank)) {
            throw new RefusedStartException(
                    "%s is set but %s is not: tokens that the issuer made for other services would be accepted."
                            .formatted(AccessMode.ISSUER, AUDIENCES),
                    "Set %s to the audience that the issuer writes into the tokens for this service."
                            .formatted(AUDIENCES));
        }
        if (binder.bind(AccessMode.DEMO_LOGIN, Boolean.class).orElse(false)) {
            throw new RefusedStartException(
                    "%s=true has a login of its own, but %s is set as well."
                            .formatted(AccessMode.DEMO_LOGIN, AccessMode.ISSUER),
                    "Remove one of the two settings: the demo login is for trying the service without an issuer.");
        }
    }

    /**
     * Refuses an address that other machines can reach, unless an issuer is set or, without the demo login, the
     * settings allow it.
     *
     * @throws RefusedStartException if the service would listen there for callers whom it should not serve
     */
    static void checkAddresses(Environment environment) {
        AccessMode mode = AccessMode.of(environment);
        boolean allowed = Binder.get(environment)
                .bind("registrar.security.allow-network-without-login", Boolean.class)
                .orElse(false);
        if (mode == AccessMode.TOKENS || (mode == AccessMode.LOCAL && allowed)) {
            return;
        }
        addresses(environment).forEach((setting, address) -> {
            if (address == null || !address.isLoopbackAddress()) {
                throw unprotected(mode, setting, address == null ? "" : address.getHostAddress());
            }
        });
    }

    private static RefusedStartException unprotected(AccessMode mode, String setting, String address) {
        if (mode == AccessMode.DEMO) {
            return new RefusedStartException(
                    "%s=true is for this machine only, but with %s=%s other machines could reach the service."
                            .formatted(AccessMode.DEMO_LOGIN, setting, address),
                    "Set %s to a loopback address such as 127.0.0.1, or replace the demo login by an issuer: set %s and %s."
                            .formatted(setting, AccessMode.ISSUER, AUDIENCES));
        }
        return new RefusedStartException(
                "The service does not ask who is calling, but with %s=%s other machines could reach it."
                        .formatted(setting, address),
                "Set %s and %s, so that every caller needs an access token; or set %s to a loopback address such as 127.0.0.1. If something else decides who may call, set registrar.security.allow-network-without-login=true, and list the names by which the service is called in registrar.security.allowed-hosts."
                        .formatted(AccessMode.ISSUER, AUDIENCES, SERVER));
    }

    /**
     * The addresses on which the service listens, by the names of their settings; null for all addresses of this
     * machine. The management endpoints have an address of their own only on a port of their own.
     */
    static Map<String, @Nullable InetAddress> addresses(Environment environment) {
        Binder binder = Binder.get(environment);
        Map<String, @Nullable InetAddress> addresses = new LinkedHashMap<>();
        addresses.put(SERVER, binder.bind(SERVER, InetAddress.class).orElse(null));
        int port = binder.bind("server.port", Integer.class).orElse(8080);
        int managementPort =
                binder.bind("management.server.port", Integer.class).orElse(-1);
        // With 0, the management endpoints get a free port, even if the server's is 0 as well.
        if (managementPort == 0 || (managementPort > 0 && managementPort != port)) {
            addresses.put(MANAGEMENT, binder.bind(MANAGEMENT, InetAddress.class).orElse(null));
        }
        return addresses;
    }
}
