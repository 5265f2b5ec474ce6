package dev.registrar.http;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the web server. */
@Configuration(proxyBeanMethods = false)
class ServerConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
        return server -> server.setProtocol(SmallBuffersProtocol.class.getName());
    }
}
