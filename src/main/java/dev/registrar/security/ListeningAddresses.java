package dev.registrar.security;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The addresses on which the service listens, by the names of their settings. */
final class ListeningAddresses {
    static final String SERVER = "server.address";
    static final String MANAGEMENT = "management.server.address";

    /** As management.server.port: no port of their own for the management endpoints. */
    private static final int NONE = -1;

    private ListeningAddresses() {}

    /**
     * Refuses an address that other machines can reach, unless an issuer is set or the settings allow it.
     *
     * @throws RefusedStartException if the service would listen there without asking who is calling
     */
    static void check(Environment environment) {
        if (AccessMode.of(environment) != AccessMode.LOCAL) {
            return;
        }
        Binder binder = Binder.get(environment);
        boolean allowed = binder.bind("registrar.security.allow-network-without-login", Boolean.class)
                .orElse(false);
        if (allowed) {
            return;
        }
        all(binder).forEach((setting, address) -> {
            if (address == null || !address.isLoopbackAddress()) {
                throw unprotected(setting, address);
            }
        });
    }

    private static RefusedStartException unprotected(String setting, @Nullable InetAddress address) {
        return new RefusedStartException(
                "The service does not ask who is calling, but with %s=%s other machines could reach it."
                        .formatted(setting, address == null ? "" : address.getHostAddress()),
                "Set %s and %s, so that every caller needs an access token; or set %s to a loopback address such as 127.0.0.1. If something else decides who may call, set registrar.security.allow-network-without-login=true, and list the names by which the service is called in registrar.security.allowed-hosts."
                        .formatted(IssuerSettings.ISSUER, IssuerSettings.AUDIENCES, SERVER));
    }

    /**
     * The addresses by the names of their settings; null for all addresses of this machine. The management endpoints
     * have an address of their own only on a port of their own.
     */
    static Map<String, @Nullable InetAddress> all(Binder binder) {
        Map<String, @Nullable InetAddress> addresses = new LinkedHashMap<>();
        addresses.put(SERVER, address(binder, SERVER));
        int port = port(binder, "server.port", 8080);
        int managementPort = port(binder, "management.server.port", NONE);
        // With 0, the management endpoints get a free port, even if the server's is 0 as well.
        if (managementPort == 0 || (managementPort > 0 && managementPort != port)) {
            addresses.put(MANAGEMENT, address(binder, MANAGEMENT));
        }
        return addresses;
    }

    /** The addresses as the settings have them; empty for all addresses of this machine. */
    static List<String> names(Environment environment) {
        return all(Binder.get(environment)).keySet().stream()
                .map(setting -> environment.getProperty(setting, ""))
                .toList();
    }

    private static @Nullable InetAddress address(Binder binder, String setting) {
        return binder.bind(setting, InetAddress.class).orElse(null);
    }

    private static int port(Binder binder, String setting, int otherwise) {
        return binder.bind(setting, Integer.class).orElse(otherwise);
    }
}
