package dev.registrar.http.problem;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The same headers and errors on a management port of its own, and few connections: the limits of requests do not
 * apply. Its web server belongs to a child of the application context. Spring Boot imports this class there, so it must
 * not be scanned.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementServerConfiguration {
    /** Probes, and programs that read metrics, need few. Each has one request at a time; further ones wait. */
    static final int MAX_CONNECTIONS = 200;

    /* The customizer of the service's own server, which is in the parent context. */
    @Bean
    ServerCustomizer managementServerCustomizer(@Qualifier("serverCustomizer") ServerCustomizer own) {
        return own;
    }

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> managementConnections() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setProperty("maxConnections", Integer.toString(MAX_CONNECTIONS)));
    }
}
