package dev.registrar.http.admission;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.apache.coyote.AbstractProtocol;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Runs each request on a virtual thread, with a bound on how many run at a time. Tomcat takes 72 KiB of buffers for a
 * request when it begins to read it, whether {@link EdgeFilter} then admits the request or not. Virtual threads are
 * cheap, so without this bound the requests of all connections together could fill the heap. A request that waits here
 * has not been read.
 */
@Component
final class RequestThreads
        implements Executor, WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, MeterBinder {
    /** Threads beyond the admitted requests: they reject further requests and answer health checks. */
    private static final int UNADMITTED_REQUESTS = 64;

    private final ThreadFactory threads = Thread.ofVirtual().name("request-", 1).factory();
    private final Semaphore permits;

    /* Set before the server starts, and so before its threads do. */
    private BooleanSupplier shortOfConnections = () -> false;

    @Autowired
    RequestThreads(HttpSettings settings) {
        this(settings.admission().maxConcurrentRequests() + UNADMITTED_REQUESTS);
    }

    RequestThreads(int maxRunning) {
        // Fair: a new request must not overtake a waiting one.
        permits = new Semaphore(maxRunning, true);
    }

    @Override
    public void execute(Runnable request) {
        threads.newThread(() -> {
                    permits.acquireUninterruptibly();
                    try {
                        request.run();
                    } finally {
                        permits.release();
                    }
                })
                .start();
    }

    /* Replaces Spring Boot's executor, which has no bound. */
    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addProtocolHandlerCustomizers(handler -> {
            handler.setExecutor(this);
            // Spring Boot has no other way to the number of connections.
            if (handler instanceof AbstractProtocol<?> protocol) {
                // Tomcat's maximum is -1 if there is no bound.
                shortOfConnections = () -> protocol.getConnectionCount() > protocol.getMaxConnections() * 3L / 4
                        && protocol.getMaxConnections() > 0;
            }
        });
    }

    /**
     * Whether more than three quarters of the connections are in use. Then each connection is closed after its answer:
     * idle ones would make new clients wait until the keep-alive time-out, although the service is idle.
     */
    boolean isShortOfConnections() {
        return shortOfConnections.getAsBoolean();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("registrar.http.requests.waiting", permits, Semaphore::getQueueLength)
                .description("Requests, and connection closes, that wait for a request thread")
                .baseUnit("requests")
                .register(registry);
    }
}
