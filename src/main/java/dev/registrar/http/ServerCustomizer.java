package dev.registrar.http;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Sets what Tomcat has no property for. */
@Component
final class ServerCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        // Parameters come from the query string alone: a form in a body is not a format that this API takes.
        factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
    }
}
