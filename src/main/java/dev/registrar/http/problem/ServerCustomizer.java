package dev.registrar.http.problem;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Sets what Tomcat has no property for. */
@Component
final class ServerCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            // Parameters come from the query string alone: a form in a body is not a format that this API takes.
            connector.setParseBodyMethods("");
            // Tomcat would forget the path of a request that it refuses for them; ServerProblems refuses it instead.
            connector.setProperty("relaxedPathChars", ServerProblems.RELAXED);
            connector.setProperty("relaxedQueryChars", ServerProblems.RELAXED);
        });
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ServerProblems()));
    }
}
