package dev.registrar.http.address;

import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Where and how programs on the same machine reach this service. */
@Component
public final class ServiceAddress {
    private static final String PORT = "local.server.port";
    private static final String MANAGEMENT_PORT = "local.management.port";

    private final Environment environment;

    ServiceAddress(Environment environment) {
        this.environment = environment;
    }

    /** The URL, with the context path and without a slash at its end. Empty before the service listens. */
    public Optional<String> url() {
        return url(PORT, "server.address", hasTls("server.ssl"), property("server.servlet.context-path", ""));
    }

    /** The URL of the management endpoints. Empty unless they have a port of their own. */
    public Optional<String> managementUrl() {
        // Spring Boot sets the property of the management port in both cases.
        if (property(MANAGEMENT_PORT, "").equals(property(PORT, ""))) {
            return Optional.empty();
        }
        return url(
                MANAGEMENT_PORT,
                "management.server.address",
                hasTls(isSet("management.server.ssl") ? "management.server.ssl" : "server.ssl"),
                property("management.server.base-path", "")
                        + property("management.endpoints.web.base-path", "/actuator"));
    }

    private Optional<String> url(String port, String address, boolean tls, String path) {
        return Optional.ofNullable(environment.getProperty(port))
                .map(number -> "%s://%s:%s%s".formatted(tls ? "https" : "http", host(address), number, path));
    }

    private boolean hasTls(String settings) {
        return Binder.get(environment)
                .bind(settings, Ssl.class)
                .map(tls -> tls.isEnabled())
                .orElse(false);
    }

    private boolean isSet(String settings) {
        return Binder.get(environment).bind(settings, Ssl.class).isBound();
    }

    private String host(String setting) {
        @Nullable InetAddress address = environment.getProperty(setting, InetAddress.class);
        String host = address == null || address.isAnyLocalAddress()
                ? InetAddress.getLoopbackAddress().getHostAddress()
                : address.getHostAddress();
        return host.contains(":") ? "[%s]".formatted(host.replaceFirst("^(0:){7}", "::")) : host;
    }

    private String property(String name, String otherwise) {
        return environment.getProperty(name, otherwise);
    }
}
