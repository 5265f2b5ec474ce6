package dev.registrar.http.problem;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Configures what Spring Boot has no Tomcat property for. */
@Component
final class ServerCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            // Parameters come from the query string only: this API takes no forms.
            connector.setParseBodyMethods("");
            // If Tomcat refused a target with these characters, it would drop the path; ServerProblems refuses it
            // instead.
            connector.setProperty("relaxedPathChars", ServerProblems.RELAXED);
            connector.setProperty("relaxedQueryChars", ServerProblems.RELAXED);
        });
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ServerProblems()));
    }
}
