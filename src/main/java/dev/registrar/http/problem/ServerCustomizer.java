package dev.registrar.http.problem;

import java.time.Duration;
import java.util.Arrays;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
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
    /*
     * A write times out if the operating system does not report the connection writable within Tomcat's connection
     * time-out. Linux doubles the size of the buffer, and reports the connection writable when a third of it is free:
     * here 128 KiB, which a client of 20 KB/s receives in 7 s. By itself, Linux lets the buffer grow to 4 MB, of which
     * that client receives a third in 70 s. Over a path of 100 ms, the buffer bounds a connection to about 4 MB/s.
     */
    private static final int SEND_BUFFER_BYTES = 192 * 1024;

    /* The time-out of writes is longer; with it, a body that does not arrive would occupy a request's thread as long. */
    private static final Duration BODY_SILENCE = Duration.ofSeconds(5);

    private final ApplicationAvailability availability;
    private final Duration retryAfter;

    ServerCustomizer(
            ApplicationAvailability availability, @Value("${registrar.http.retry-after:1s}") Duration retryAfter) {
        this.availability = availability;
        this.retryAfter = retryAfter;
    }

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            // Parameters come from the query string only: the API takes no forms, and those of pages are read by
            // filters.
            connector.setParseBodyMethods("");
            connector.setProperty("socket.txBufSize", Integer.toString(SEND_BUFFER_BYTES));
            connector.setProperty("disableUploadTimeout", "false");
            connector.setProperty("connectionUploadTimeout", Long.toString(BODY_SILENCE.toMillis()));
        });
        factory.addContextCustomizers(context -> {
            context.getParent().getPipeline().addValve(new ServerProblems(this::isStopping, retryAfter));
            // The valve writes every error that has no answer yet, so there is no dispatch to Spring Boot's error page.
            Arrays.stream(context.findErrorPages()).forEach(context::removeErrorPage);
        });
    }

    private boolean isStopping() {
        return availability.getReadinessState() == ReadinessState.REFUSING_TRAFFIC;
    }
}
