package dev.registrar.http.problem;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.context.annotation.Bean;

/**
 * The same headers and errors on a management port of its own. Its web server belongs to a child of the application
 * context. Spring Boot imports this class there, so it must not be scanned.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementServerConfiguration {

    @Bean
    ServerCustomizer managementServerCustomizer() {
        return new ServerCustomizer();
    }
}
