package dev.registrar.http.problem;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Sets the options of Tomcat for which Spring Boot has no property. After Spring Boot's own customizers, of order 0:
 * the last valve reports errors first.
 */
@Component
@Order(1)
final class ServerCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            // Parameters come from the query string only: the API takes no forms, and those of pages are read by
            // filters.
            connector.setParseBodyMethods("");
            // ServerProblems rejects targets with these characters: Tomcat would drop the path.
            connector.setProperty("relaxedPathChars", ServerProblems.RELAXED);
            connector.setProperty("relaxedQueryChars", ServerProblems.RELAXED);
        });
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ServerProblems()));
    }
}
