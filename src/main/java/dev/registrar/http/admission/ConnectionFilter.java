package dev.registrar.http.admission;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Closes each connection after its answer while more than three quarters of the connections are in use. Otherwise idle
 * keep-alive connections make new clients wait until the keep-alive time-out, although the service is idle.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConnectionFilter extends OncePerRequestFilter
        implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    /* Set before the server starts, and so before its threads do. */
    private BooleanSupplier scarce = () -> false;

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addProtocolHandlerCustomizers((ProtocolHandler handler) -> {
            if (handler instanceof AbstractProtocol<?> protocol) {
                // Tomcat's maximum is -1 if there is no bound.
                scarce = () -> protocol.getConnectionCount() > protocol.getMaxConnections() * 3L / 4
                        && protocol.getMaxConnections() > 0;
            }
        });
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (scarce.getAsBoolean()) {
            response.setHeader("Connection", "close");
        }
        chain.doFilter(request, response);
    }
}
