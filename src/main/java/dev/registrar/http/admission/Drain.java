package dev.registrar.http.admission;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Lets callers leave a service that stops. Readiness is refused already, and requests are still answered, but each
 * answer closes its connection, so that no request is on its way when the web server closes them all.
 */
@Component
final class Drain implements SmartLifecycle, WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    private final Duration time;
    private final List<Connector> connectors = new CopyOnWriteArrayList<>();
    private volatile boolean running;

    Drain(HttpSettings settings) {
        this.time = settings.drain();
    }

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connectors::add);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        // Tomcat then answers each request with "Connection: close".
        connectors.forEach(connector -> connector.setProperty("maxKeepAliveRequests", "1"));
        try {
            // By the clock: nothing tells when proxies and clients have seen that readiness is refused.
            Thread.sleep(time);
        } catch (InterruptedException callersHaveLeft) {
            // The interrupt ends the wait alone: the rest of the stop has waits of its own.
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** A pause would drain as a stop does, but a start after it would not undo that. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    /** After live streams were ended, before the web server stops. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }
}
