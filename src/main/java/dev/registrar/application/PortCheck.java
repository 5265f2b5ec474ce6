package dev.registrar.application;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.annotation.Order;

/**
 * Ends a start at its very beginning if another program uses the service's port, or that of the management endpoints:
 * before the database is started or migrated. If another program takes the port later, the web server reports it.
 */
@Order(0)
public final class PortCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    private static final int USUAL_PORT = 8080;
    private static final int LARGEST_PORT = 65_535;

    /** Another program uses the port of a setting. */
    static final class TakenPortException extends PortInUseException {
        private static final long serialVersionUID = 1L;

        private final String setting;

        private TakenPortException(String setting, int port, BindException cause) {
            super(port, cause);
            this.setting = setting;
        }

        String setting() {
            return setting;
        }
    }

    /** @throws PortInUseException if another program uses the port */
    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent prepared) {
        Binder settings = Binder.get(prepared.getEnvironment());
        int port = settings.bind("server.port", Integer.class).orElse(USUAL_PORT);
        check("server", port, settings);
        int managementPort =
                settings.bind("management.server.port", Integer.class).orElse(port);
        if (managementPort != port) {
            check("management.server", managementPort, settings);
        }
    }

    private static void check(String server, int port, Binder settings) {
        // 0 stands for any free port. The web server refuses numbers that are no ports.
        if (port <= 0 || port > LARGEST_PORT) {
            return;
        }
        @Nullable InetAddress address =
                settings.bind(server + ".address", InetAddress.class).orElse(null);
        try {
            new ServerSocket(port, 1, address).close();
        } catch (IOException failure) {
            // Any other failure is the web server's to report.
            PortInUseException.ifPortBindingException(failure, taken -> {
                throw new TakenPortException(server + ".port", port, taken);
            });
        }
    }
}
